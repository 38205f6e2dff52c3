import TripDomain
import TripEngine
import TripRules

/// The rows of all `versions` frames of one part, by file, record and ref.
///
/// Frames come in any order; the rows are put in order of exports, so that the result depends on
/// neither.
struct VersionRows {
    /// The position of a row: a frame, and its index in it.
    struct Position {
        let frame: Int32
        let row: Int32
    }

    /// The columns of one frame.
    struct Frame {
        let refs: Bytes
        let files: [Int32]
        let records: [Int64]
        let lines: [Int64]
        let rejects: (values: [Int32], nulls: [Bool])
        let columns: [FrameColumn]
    }

    /// The values of a column of texts or bytes.
    struct Bytes {
        let ends: [Int32]
        let data: [UInt8]

        subscript(row: Int) -> ArraySlice<UInt8> { data[Int(ends[row])..<Int(ends[row + 1])] }
    }

    private(set) var frames: [Frame] = []
    /// The trips of files in force, in order.
    private(set) var trips: [Position] = []
    /// The rejects of files in force, in order.
    private(set) var rejects: [Position] = []
    /// The number of trips that were read, and of those of files that are not in force.
    private(set) var tripCount = 0
    private(set) var leftOut = 0
    private let columns: VersionColumns
    private let areInForce: [Bool]
    private let ruleCount: Int
    private let overrideCount: Int
    private let part: ShardPart

    /// Begins without rows.
    ///
    /// - Parameters:
    ///   - setting: The plan, compiled.
    ///   - areInForce: Per file of the plan, whether its records are in force.
    ///   - part: The part that all rows belong to.
    init(_ setting: ShardSetting, areInForce: [Bool], _ part: ShardPart) {
        self.part = part
        columns = setting.versions
        self.areInForce = areInForce
        ruleCount = setting.classifier.rules.count
        overrideCount = setting.plan.overrides.count
    }

    /// Takes the rows of a frame.
    ///
    /// - Parameter found: Its columns.
    /// - Returns: What does not fit; nil where all does.
    mutating func add(_ found: [FrameColumn]) -> String? {
        guard found.map(\.name) == columns.all.map(\.name),
            found.map(\.type) == columns.all.map(\.type)
        else { return "its columns are not those of the plan" }
        guard case .bytes(let ends, let data) = found[0].values,
            case .narrow(let files) = found[1].values, case .wide(let records) = found[2].values,
            case .wide(let lines) = found[3].values, case .narrow(let rejects) = found[4].values
        else { return "its columns are not those of the plan" }
        guard files.allSatisfy({ areInForce.indices.contains(Int($0)) }) else {
            return "it has rows of a file that the plan has not"
        }
        guard zip(records, lines).allSatisfy({ $0 > 0 && $1 > 0 }) else {
            return "it has rows without a record or a line"
        }
        guard isWithin(found, "rule", 0...ruleCount),
            isWithin(found, "override", 0...max(0, overrideCount - 1))
        else { return "it has rows of a rule or an override that the plan has not" }
        let refs = Bytes(ends: ends, data: data)
        for row in files.indices {
            let found = ShardPart.index(of: refs[row], among: part.count)
            guard found != part.index else { continue }
            return found.map {
                "it has a trip of part \($0) of \(part.count), expected part \(part.index) alone"
            } ?? "it has a row without a reference"
        }
        let frame = Frame(
            refs: refs,
            files: files,
            records: records,
            lines: lines,
            rejects: (rejects, found[4].nulls),
            columns: found
        )
        let number = Int32(frames.count)
        for row in files.indices {
            let isTrip = !frame.rejects.nulls.isEmpty && frame.rejects.nulls[row]
            if isTrip { tripCount += 1 }
            guard areInForce[Int(files[row])] else {
                if isTrip { leftOut += 1 }
                continue
            }
            let position = Position(frame: number, row: Int32(row))
            if isTrip { trips.append(position) } else { self.rejects.append(position) }
        }
        frames.append(frame)
        return nil
    }

    /// Whether the known values of a narrow column lie in a range.
    private func isWithin(
        _ columns: [FrameColumn],
        _ name: String,
        _ range: ClosedRange<Int>
    ) -> Bool {
        guard case .narrow(let values) = columns[index(name)].values else { return false }
        let nulls = columns[index(name)].nulls
        return values.indices.allSatisfy { row in
            range.contains(Int(values[row])) || !nulls.isEmpty && nulls[row]
        }
    }

    /// Puts the rows in order of exports.
    ///
    /// - Returns: What does not fit; nil where all does.
    /// - Complexity: O(*n* log *n*) in the rows.
    mutating func sort() -> String? {
        trips = sorted(trips)
        rejects = sorted(rejects)
        // A task that ran twice, and whose rows both arrived, would count twice.
        for (left, right) in zip(trips, trips.dropFirst())
        where file(left) == file(right) && record(left) == record(right) {
            if ref(left) == ref(right) {
                return "file \(file(left)), record \(record(left)) stands in it twice"
            }
        }
        return nil
    }

    /// Positions by file, record and ref.
    private func sorted(_ positions: [Position]) -> [Position] {
        // The keys stand in one array, while the rows are scattered over the frames.
        let keys = positions.map { (file: file($0), record: record($0), position: $0) }
        return keys.sorted { left, right in
            if left.file != right.file { return left.file < right.file }
            if left.record != right.record { return left.record < right.record }
            return ref(left.position).lexicographicallyPrecedes(ref(right.position))
        }.map(\.position)
    }

    func file(_ position: Position) -> Int {
        Int(frames[Int(position.frame)].files[Int(position.row)])
    }

    func record(_ position: Position) -> Int64 {
        frames[Int(position.frame)].records[Int(position.row)]
    }

    func line(_ position: Position) -> Int64 {
        frames[Int(position.frame)].lines[Int(position.row)]
    }

    func ref(_ position: Position) -> ArraySlice<UInt8> {
        frames[Int(position.frame)].refs[Int(position.row)]
    }

    /// The index of a reject among those of its file.
    func reject(_ position: Position) -> Int {
        Int(frames[Int(position.frame)].rejects.values[Int(position.row)])
    }
}

extension VersionRows {
    /// The trips as batches of the shape that is resolved, in order of exports.
    ///
    /// - Complexity: O(*n*) in the values.
    func batches() -> [PackedBatch] {
        var batches: [PackedBatch] = []
        var start = 0
        while start < trips.count {
            let end = batchEnd(from: start)
            batches.append(batch(trips[start..<end]))
            start = end
        }
        return batches
    }

    /// 64 K rows: as many as a slice of an export has.
    private static let batchSize = 1 << 16

    /// Where the batch ends that begins at a trip: with its file, or where it is large enough.
    private func batchEnd(from start: Int) -> Int {
        let (file, record) = (file(trips[start]), record(trips[start]))
        var end = start
        // Numbers count from the first of the batch, so that they fit 32 bits in any file.
        while end < trips.count, end - start < Self.batchSize, self.file(trips[end]) == file,
            self.record(trips[end]) - record < Int64(Int32.max)
        {
            end += 1
        }
        return end
    }

    private func batch(_ positions: ArraySlice<Position>) -> PackedBatch {
        let first = positions.startIndex
        let (record, line) = (self.record(trips[first]), positions.map { self.line($0) }.min() ?? 0)
        var pickups = integers("pickup", positions)
        pickups.nulls = []
        var columns: [Column] = [
            .text(texts("ref", positions)),
            .integer(pickups),
            .integer(pickups),
            .text(texts("region", positions)),
            .text(texts("trip_type", positions)),
            .text(texts("order", positions)),
            .text(texts("digest", positions)),
            .integer(integers("cents", positions)),
            .integer(integers("miles", positions)),
            .text(texts("status", positions)),
        ]
        for column in self.columns.all {
            guard column.name.dropFirst().allSatisfy(\.isNumber), column.name.count > 1 else {
                continue
            }
            columns.append(
                column.type == .int64
                    ? .integer(integers(column.name, positions))
                    : .text(texts(column.name, positions))
            )
        }
        var batch = TripBatch(
            fileIndex: file(trips[first]),
            columns: columns,
            recordNumbers: positions.map { UInt32(truncatingIfNeeded: self.record($0) - record) },
            lineNumbers: positions.map { UInt32(truncatingIfNeeded: self.line($0) - line) }
        )
        batch.ruleNumbers = narrow("rule", positions).map { UInt16(truncatingIfNeeded: $0 ?? 0) }
        let counted = index("counted")
        batch.counted = positions.map { position in
            guard case .truths(let truths) = column(counted, position).values else {
                return false
            }
            return truths[Int(position.row)]
        }
        return PackedBatch(batch).raised(records: Int(record), lines: Int(line))
    }

    /// The values of a narrow column; nil where it is null.
    func narrow(_ name: String, _ positions: some Sequence<Position>) -> [Int32?] {
        let index = index(name)
        return positions.map { position in
            let column = column(index, position)
            guard case .narrow(let values) = column.values,
                column.nulls.isEmpty || !column.nulls[Int(position.row)]
            else { return nil }
            return values[Int(position.row)]
        }
    }

    private func integers(_ name: String, _ positions: ArraySlice<Position>) -> IntegerColumn {
        let index = index(name)
        var (values, nulls): ([Int64], [Bool]) = ([], [])
        for position in positions {
            let column = column(index, position)
            guard case .wide(let all) = column.values else { continue }
            values.append(all[Int(position.row)])
            nulls.append(!column.nulls.isEmpty && column.nulls[Int(position.row)])
        }
        return IntegerColumn(values: values, nulls: nulls.contains(true) ? nulls : [])
    }

    private func texts(_ name: String, _ positions: ArraySlice<Position>) -> TextColumn {
        let index = index(name)
        var words = TextInterner()
        var codes: [UInt32] = []
        codes.reserveCapacity(positions.count)
        for position in positions {
            let column = column(index, position)
            let row = Int(position.row)
            guard case .bytes(let ends, let data) = column.values,
                column.nulls.isEmpty || !column.nulls[row]
            else {
                codes.append(0)
                continue
            }
            codes.append(
                data.withUnsafeBufferPointer { data in
                    words.code(
                        of: UnsafeBufferPointer(rebasing: data[Int(ends[row])..<Int(ends[row + 1])])
                    )
                }
            )
        }
        return TextColumn(codes: codes, pool: words.pool)
    }

    private func index(_ name: String) -> Int {
        guard let index = columns.index[name] else {
            preconditionFailure("the column is one of the plan")
        }
        return index
    }

    private func column(_ index: Int, _ position: Position) -> FrameColumn {
        frames[Int(position.frame)].columns[index]
    }
}
