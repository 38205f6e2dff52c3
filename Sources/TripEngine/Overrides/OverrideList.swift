public import TripDomain

/// All decisions that were made by hand: a CSV with one line a trip.
///
///     trip_id,class,basis,author,reason,expires
///     SYN-100003987,contracted,contract,fleet office,the crew was a vendor's,2027-03-31
public struct OverrideList: Sendable {
    /// What the list is called where look-ups have a name.
    public static let name = "override"
    /// Its columns, in any order.
    public static let columns = ["trip_id", "class", "basis", "author", "reason", "expires"]
    /// What the ids of its rules begin with.
    public static let rulePrefix = "override-"

    /// The file as a table, as generations keep it.
    public let table: ReferenceTable
    /// The overrides, in the order of the file.
    public let overrides: [ManualOverride]
    /// The grounds that some override gives, in the order of the rules that give them.
    let grounds: [OverrideGround]
    private let idsByHash: [UInt64: [Int]]
    /// A bit for each hash that occurs, by its lowest bits: most trips are in no list.
    private let filter: [UInt64]

    private static let filterBits = 16

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - file: Its path, as people know it.
    ///   - bytes: The file.
    ///   - grounds: What an override may give: the grounds of the pipeline's rules.
    /// - Throws: ``OverrideFaults`` with every line that cannot be used.
    public init(
        file: String,
        bytes: [UInt8],
        grounds: [OverrideGround]
    ) throws(OverrideFaults) {
        let definition = LookupDefinition(
            name: Self.name,
            file: file,
            keys: [(field: "trip_id", column: "trip_id")]
        )
        let table: ReferenceTable
        do throws(EngineError) {
            table = try ReferenceLoader.load(definition, bytes: bytes)
        } catch {
            throw OverrideFaults(faults: [error])
        }
        try Self.checkHeader(table)
        let columns = Self.columns.compactMap { name in
            table.columnNames.firstIndex(of: name).map { table.columns[$0].texts }
        }
        var faults: [EngineError] = []
        var read: [ManualOverride] = []
        var lines: [[UInt8]: Int] = [:]
        for row in 1..<(table.rowCount + 1) {
            let line = Int(table.lineNumbers[row])
            let cells = columns.map { $0.pool.string($0.codes[row]) ?? "" }
            let override: ManualOverride
            do throws(RowFault) {
                override = try Self.override(cells, line: line, grounds)
            } catch {
                faults.append(Self.fault(file, line, error.what))
                continue
            }
            if let first = lines[override.tripID] {
                faults.append(
                    Self.fault(
                        file,
                        line,
                        "the trip stands in line \(first) already; expected one line a trip"
                    )
                )
            }
            lines[override.tripID] = lines[override.tripID] ?? line
            read.append(override)
        }
        guard faults.isEmpty else { throw OverrideFaults(faults: faults) }
        self.table = table
        overrides = read
        let given = Set(read.map { OverrideGround(tripClass: $0.tripClass, basis: $0.basis) })
        self.grounds = Self.distinct(grounds).filter(given.contains)
        var filter = [UInt64](repeating: 0, count: (1 << Self.filterBits) / 64)
        let hashes = read.map { $0.tripID.withUnsafeBufferPointer { textHash($0) } }
        idsByHash = Dictionary(grouping: read.indices) { hashes[$0] }
        for hash in hashes {
            let bit = Self.bit(hash)
            filter[bit / 64] |= 1 << UInt64(bit % 64)
        }
        self.filter = filter
    }

    /// The override of a trip: its place in the list, whether it has expired or not.
    ///
    /// - Parameter tripID: The trip's id, as UTF-8.
    /// - Returns: The place; nil where the list has no such trip.
    /// - Complexity: O(*n*) in the bytes of the id.
    public func place(of tripID: UnsafeBufferPointer<UInt8>) -> Int? {
        let hash = textHash(tripID)
        let bit = Self.bit(hash)
        guard filter[bit / 64] >> UInt64(bit % 64) & 1 == 1 else { return nil }
        return idsByHash[hash]?.first { overrides[$0].tripID.elementsEqual(tripID) }
    }

    /// The list's rules as generations keep them: one for each ground, behind the pipeline's own.
    ///
    /// - Parameter count: How many rules the pipeline has.
    /// - Returns: The rules.
    func rules(after count: Int) -> [RuleEntry] {
        grounds.enumerated().map { index, ground in
            let basis =
                ground.basis.isEmpty
                ? "IS NULL" : "= " + ExpressionValue.text(ground.basis).literal
            return RuleEntry(
                number: count + index + 1,
                id: Self.id(of: ground),
                tripClass: ground.tripClass,
                basis: ground.basis,
                because: "Decided by hand, whatever the rules say.",
                condition: "\(Self.name).class = '\(ground.tripClass.word)' AND "
                    + "\(Self.name).basis \(basis)",
                validFrom: nil,
                validTo: nil
            )
        }
    }

    /// The rule of an override among ``rules(after:)``, from 0.
    func rule(of override: ManualOverride) -> Int {
        let own = OverrideGround(tripClass: override.tripClass, basis: override.basis)
        guard let index = grounds.firstIndex(of: own) else {
            preconditionFailure("every override gives a ground of the list")
        }
        return index
    }

    private static func bit(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & ((1 << filterBits) - 1)
    }

    /// The id of a ground's rule, which depends on the ground alone and is no other's: letters, digits and `_` stay as
    /// they are, any other byte of the basis becomes a point and two hexadecimal digits.
    private static func id(of ground: OverrideGround) -> String {
        let basis = ground.basis.utf8.map { byte -> String in
            let isLetter = (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
            guard isLetter || (0x30...0x39).contains(byte) || byte == 0x5F else {
                return (byte < 16 ? ".0" : ".") + String(byte, radix: 16)
            }
            return String(UnicodeScalar(byte))
        }
        return rulePrefix + ground.tripClass.word + (basis.isEmpty ? "" : "-" + basis.joined())
    }

    private static func distinct(_ grounds: [OverrideGround]) -> [OverrideGround] {
        var seen: Set<OverrideGround> = []
        return grounds.filter { seen.insert($0).inserted }
    }

    // MARK: Reading

    private struct RowFault: Error {
        let what: String
    }

    private static func checkHeader(_ table: ReferenceTable) throws(OverrideFaults) {
        let lacking = columns.filter { !table.columnNames.contains($0) }
        let others = table.columnNames.filter { !columns.contains($0) }
        guard lacking.isEmpty, others.isEmpty else {
            var what: [String] = []
            if !lacking.isEmpty { what.append("lacks \(lacking.joined(separator: ", "))") }
            if !others.isEmpty {
                what.append("has \(Counted.text(others.count, "column")) that no override has")
            }
            throw OverrideFaults(faults: [
                fault(
                    table.file,
                    1,
                    "the header \(what.joined(separator: " and ")); expected "
                        + columns.joined(separator: ",")
                )
            ])
        }
    }

    /// One line; cells in the order of ``columns``.
    ///
    /// Of what a cell holds nothing is repeated: where columns are mixed up it may be of a patient.
    private static func override(
        _ cells: [String],
        line: Int,
        _ grounds: [OverrideGround]
    ) throws(RowFault) -> ManualOverride {
        let blank = zip(columns, cells).filter { $0 != "basis" && $1.isEmpty }.map(\.0)
        guard blank.isEmpty else {
            let names = blank.map { "'\($0)'" }.joined(separator: " and ")
            let verb = blank.count == 1 ? "is" : "are"
            throw RowFault(
                what: "\(names) \(verb) blank; expected a value: `basis` alone may be blank"
            )
        }
        guard let tripClass = TripClass(word: cells[1]) else {
            throw RowFault(
                what: "'class' is no class; expected in_house, contracted or undetermined"
            )
        }
        let ground = OverrideGround(tripClass: tripClass, basis: cells[2])
        guard grounds.contains(ground) else {
            let known = distinct(grounds).map(\.text).joined(separator: ", ")
            throw RowFault(
                what: "no rule gives \(tripClass.word) with this 'basis'; expected one of \(known)"
            )
        }
        guard let expires = CivilDate(text: cells[5]) else {
            throw RowFault(what: "'expires' is no day; expected one as YYYY-MM-DD")
        }
        return ManualOverride(
            tripID: Array(cells[0].utf8),
            tripClass: tripClass,
            basis: cells[2],
            author: cells[3],
            reason: cells[4],
            expires: expires,
            lineNumber: line
        )
    }

    private static func fault(_ file: String, _ line: Int, _ what: String) -> EngineError {
        EngineError(
            code: .badReference,
            place: SourcePlace(file: file, lineNumber: line),
            remedy: what
        )
    }
}
