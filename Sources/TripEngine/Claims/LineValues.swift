internal import TripDomain

/// The values of some columns of lines, compared and hashed.
struct LineValues: Sendable {
    /// One column of all batches.
    private enum Field: Sendable {
        case texts([PackedTexts.Reader], fillers: [Int])
        case integers([PackedIntegers.Reader])
        case reals([RealColumn])
    }

    /// Kept, since the readers point into them.
    private let batches: [PackedBatch]
    private let positions: [TripPosition]
    private let fields: [Field]

    /// Prepares to compare.
    ///
    /// - Parameters:
    ///   - columns: The columns that are compared, by their index in the shape.
    ///   - batches: The lines by column.
    ///   - positions: The position of each line.
    init(_ columns: [Int], of batches: [PackedBatch], positions: [TripPosition]) {
        self.batches = batches
        self.positions = positions
        fields = columns.map { index in
            let columns = batches.map { $0.columns[index] }
            return switch columns.first {
            case .text:
                .texts(
                    columns.map(\.texts.reader),
                    fillers: columns.map { Int($0.texts.fillerCode) }
                )
            case .integer, nil: .integers(columns.map(\.integers.reader))
            case .real: .reals(columns.map(\.reals))
            }
        }
    }

    /// The text of a line in one of the columns; empty for NULL.
    ///
    /// - Precondition: The column holds texts.
    /// - Returns: The bytes; valid as long as these values are.
    func text(_ line: Int, field: Int) -> UnsafeRawBufferPointer {
        guard case .texts(let texts, let fillers) = fields[field] else {
            preconditionFailure("the column holds texts")
        }
        let position = positions[line]
        let code = Self.code(texts, fillers, position)
        return texts[Int(position.batch)].entry(code)
    }

    /// The integer of a line in one of the columns; nil for NULL.
    ///
    /// - Precondition: The column holds integers.
    func integer(_ line: Int, field: Int) -> Int64? {
        guard case .integers(let integers) = fields[field] else {
            preconditionFailure("the column holds integers")
        }
        let position = positions[line]
        return integers[Int(position.batch)].value(Int(position.row))
    }

    /// Whether all values of two lines are equal; NULL equals NULL.
    func isEqual(_ left: Int, _ right: Int) -> Bool {
        fields.allSatisfy { isEqual($0, positions[left], positions[right]) }
    }

    /// Whether a line has the values of another wherever it has one.
    func isEqualWhereKnown(_ line: Int, to other: Int) -> Bool {
        fields.allSatisfy { field in
            isNull(field, positions[line]) || isEqual(field, positions[line], positions[other])
        }
    }

    /// The columns in which a line has a value and another line has another one, in order.
    func differences(of line: Int, from other: Int) -> [Int] {
        fields.indices.filter { index in
            !isNull(fields[index], positions[line])
                && !isEqual(fields[index], positions[line], positions[other])
        }
    }

    /// Whether a line has a value in each column.
    func isWhole(_ line: Int) -> Bool {
        !fields.contains { isNull($0, positions[line]) }
    }

    /// A hash of all values; equal values have equal hashes.
    func hash(_ line: Int) -> UInt64 {
        let position = positions[line]
        let (batch, row) = (Int(position.batch), Int(position.row))
        return fields.reduce(0) { hash, field in
            let value: UInt64
            switch field {
            case .texts(let texts, let fillers):
                let code = Self.code(texts, fillers, position)
                let entry = texts[batch].entry(code).assumingMemoryBound(to: UInt8.self)
                value = code == 0 ? 1 : textHash(entry)
            case .integers(let integers):
                value = integers[batch].value(row).map { UInt64(bitPattern: $0) &+ 2 } ?? 1
            case .reals(let reals):
                // Zeros of both signs are equal.
                let real = reals[batch].value(row)
                value = real.map { ($0 == 0 ? 0 : $0.bitPattern) &+ 2 } ?? 1
            }
            return foldedProduct(hash ^ value)
        }
    }

    private func isEqual(_ field: Field, _ left: TripPosition, _ right: TripPosition) -> Bool {
        let (batch, row) = (Int(left.batch), Int(left.row))
        let (otherBatch, otherRow) = (Int(right.batch), Int(right.row))
        switch field {
        case .texts(let texts, let fillers):
            let code = Self.code(texts, fillers, left)
            let otherCode = Self.code(texts, fillers, right)
            guard code != 0, otherCode != 0 else { return code == otherCode }
            return isEqualText(texts[batch].entry(code), texts[otherBatch].entry(otherCode))
        case .integers(let integers):
            return integers[batch].value(row) == integers[otherBatch].value(otherRow)
        case .reals(let reals):
            return reals[batch].value(row) == reals[otherBatch].value(otherRow)
        }
    }

    private func isNull(_ field: Field, _ position: TripPosition) -> Bool {
        let (batch, row) = (Int(position.batch), Int(position.row))
        switch field {
        case .texts(let texts, let fillers): return Self.code(texts, fillers, position) == 0
        case .integers(let integers): return integers[batch].isNull(row)
        case .reals(let reals): return reals[batch].isNull(row)
        }
    }

    /// The code of a text: 0 where the export is blank, also where a word replaces the blank.
    private static func code(
        _ texts: [PackedTexts.Reader],
        _ fillers: [Int],
        _ position: TripPosition
    ) -> Int {
        let code = texts[Int(position.batch)].code(Int(position.row))
        return code == fillers[Int(position.batch)] ? 0 : code
    }
}

/// Lines by their values in some columns, to find one that is equal.
struct LineIndex {
    private let values: LineValues
    private var linesByHash: [UInt64: [Int]] = [:]

    init(_ values: LineValues) {
        self.values = values
    }

    /// The line with the values of a line; the line itself where none has them, which is kept.
    mutating func first(equalTo line: Int) -> Int {
        let hash = values.hash(line)
        if let found = find(line, hash) { return found }
        linesByHash[hash, default: []].append(line)
        return line
    }

    /// A kept line with the values of a line; nil where none has them.
    func find(_ line: Int) -> Int? { find(line, values.hash(line)) }

    private func find(_ line: Int, _ hash: UInt64) -> Int? {
        // Equality is decided on the values, never on the hash.
        linesByHash[hash]?.first { values.isEqual($0, line) }
    }
}
