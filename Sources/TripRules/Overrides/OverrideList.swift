public import TripDomain

/// All decisions that were made by hand: a CSV with one line per trip.
///
///     trip_id,class,basis,author,reason,expires
///     SYN-100003987,contracted,contract,fleet office,the crew was a vendor's,2027-03-31
public struct OverrideList: Sendable {
    /// The name of the list where look-ups have a name.
    public static let name = "override"
    /// Its columns, in any order.
    public static let columns = ["trip_id", "class", "basis", "author", "reason", "expires"]
    /// The prefix of the ids of its rules.
    public static let rulePrefix = "override-"

    /// The file as a table, as generations keep it.
    public let table: ReferenceTable
    /// The overrides, in the order of the file.
    public let overrides: [ManualOverride]
    /// The classes and bases that some override gives, in the order of the rules that give them.
    let classesAndBases: [OverrideClassAndBasis]
    private let idsByHash: [UInt64: [Int]]
    /// A bit for each hash that occurs, by its lowest bits: it filters the trips without override.
    private let filter: [UInt64]

    private static let filterBits = 16

    /// The look-up whose table the list is.
    ///
    /// - Parameter file: The list's path, as people know it.
    /// - Returns: The look-up: every column is text.
    public static func lookup(file: String) -> LookupDefinition {
        LookupDefinition(
            name: name,
            file: file,
            keys: [(field: "trip_id", column: "trip_id")]
        )
    }

    /// Reads a list from its table.
    ///
    /// - Parameters:
    ///   - table: The table of ``lookup(file:)``, loaded.
    ///   - classesAndBases: The classes and bases that the pipeline's rules give.
    /// - Throws: ``ReferenceFaults`` with every line that cannot be used.
    public init(
        table: ReferenceTable,
        classesAndBases: [OverrideClassAndBasis]
    ) throws(ReferenceFaults) {
        try Self.checkHeader(table)
        let columns = Self.columns.compactMap { name in
            table.columnNames.firstIndex(of: name).map { table.columns[$0].texts }
        }
        var faults: [ReferenceFault] = []
        var read: [ManualOverride] = []
        var lines: [[UInt8]: Int] = [:]
        for row in 1..<(table.rowCount + 1) {
            let line = Int(table.lineNumbers[row])
            let cells = columns.map { $0.pool.string($0.codes[row]) ?? "" }
            let override: ManualOverride
            do throws(RowFault) {
                override = try Self.override(cells, line: line, classesAndBases)
            } catch {
                faults.append(Self.fault(table.file, line, error.what))
                continue
            }
            if let first = lines[override.tripID] {
                faults.append(
                    Self.fault(
                        table.file,
                        line,
                        "the trip is already in line \(first); expected one line per trip"
                    )
                )
            }
            lines[override.tripID] = lines[override.tripID] ?? line
            read.append(override)
        }
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
        self.table = table
        overrides = read
        let given = Set(
            read.map { OverrideClassAndBasis(tripClass: $0.tripClass, basis: $0.basis) }
        )
        self.classesAndBases = Self.distinct(classesAndBases).filter(given.contains)
        var filter = [UInt64](repeating: 0, count: (1 << Self.filterBits) / 64)
        let hashes = read.map { $0.tripID.withUnsafeBufferPointer { textHash($0) } }
        idsByHash = Dictionary(grouping: read.indices) { hashes[$0] }
        for hash in hashes {
            let bit = Self.bit(hash)
            filter[bit / 64] |= 1 << UInt64(bit % 64)
        }
        self.filter = filter
    }

    /// The index of a trip's override in the list, whether it has expired or not.
    ///
    /// - Parameter tripID: The trip's id, as UTF-8.
    /// - Returns: The index; nil where the list has no such trip.
    /// - Complexity: O(*n*) in the bytes of the id.
    public func position(of tripID: UnsafeBufferPointer<UInt8>) -> Int? {
        let hash = textHash(tripID)
        let bit = Self.bit(hash)
        guard filter[bit / 64] >> UInt64(bit % 64) & 1 == 1 else { return nil }
        return idsByHash[hash]?.first { overrides[$0].tripID.elementsEqual(tripID) }
    }

    /// The list's rules as generations keep them: one for each class and basis, after the
    /// pipeline's own.
    ///
    /// - Parameter count: How many rules the pipeline has.
    /// - Returns: The rules.
    func rules(after count: Int) -> [RuleEntry] {
        classesAndBases.enumerated().map { index, pair in
            let basis =
                pair.basis.isEmpty
                ? "IS NULL" : "= " + ExpressionValue.text(pair.basis).literal
            return RuleEntry(
                number: count + index + 1,
                id: Self.id(of: pair),
                tripClass: pair.tripClass,
                basis: pair.basis,
                because: "Decided by hand, whatever the rules say.",
                condition: "\(Self.name).class = '\(pair.tripClass.word)' AND "
                    + "\(Self.name).basis \(basis)",
                validFrom: nil,
                validTo: nil
            )
        }
    }

    /// The index of an override's rule in ``rules(after:)``, from 0.
    func rule(of override: ManualOverride) -> Int {
        let own = OverrideClassAndBasis(tripClass: override.tripClass, basis: override.basis)
        guard let index = classesAndBases.firstIndex(of: own) else {
            preconditionFailure("every override gives a class and basis of the list")
        }
        return index
    }

    private static func bit(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & ((1 << filterBits) - 1)
    }

    /// The id of the rule of a class and basis, which depends on these alone and is unique.
    ///
    /// Letters, digits and `_` of the basis stay as they are; any other byte becomes a point and
    /// two hexadecimal digits.
    private static func id(of pair: OverrideClassAndBasis) -> String {
        let basis = pair.basis.utf8.map { byte -> String in
            let isLetter = (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
            guard isLetter || (0x30...0x39).contains(byte) || byte == 0x5F else {
                return (byte < 16 ? ".0" : ".") + String(byte, radix: 16)
            }
            return String(UnicodeScalar(byte))
        }
        return rulePrefix + pair.tripClass.word + (basis.isEmpty ? "" : "-" + basis.joined())
    }

    private static func distinct(
        _ classesAndBases: [OverrideClassAndBasis]
    ) -> [OverrideClassAndBasis] {
        var seen: Set<OverrideClassAndBasis> = []
        return classesAndBases.filter { seen.insert($0).inserted }
    }

    // MARK: Reading

    private struct RowFault: Error {
        let what: String
    }

    private static func checkHeader(_ table: ReferenceTable) throws(ReferenceFaults) {
        let lacking = columns.filter { !table.columnNames.contains($0) }
        let others = table.columnNames.filter { !columns.contains($0) }
        guard lacking.isEmpty, others.isEmpty else {
            var what: [String] = []
            if !lacking.isEmpty { what.append("lacks \(lacking.joined(separator: ", "))") }
            if !others.isEmpty {
                what.append("has \(Counted.text(others.count, "column")) that no override has")
            }
            throw ReferenceFaults([
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
    /// A fault repeats nothing of a cell's content: where columns are mixed up it may identify a
    /// patient.
    private static func override(
        _ cells: [String],
        line: Int,
        _ classesAndBases: [OverrideClassAndBasis]
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
        let pair = OverrideClassAndBasis(tripClass: tripClass, basis: cells[2])
        guard classesAndBases.contains(pair) else {
            let known = distinct(classesAndBases).map(\.text).joined(separator: ", ")
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

    private static func fault(_ file: String, _ line: Int, _ what: String) -> ReferenceFault {
        ReferenceFault(
            position: SourcePosition(file: file, lineNumber: line),
            remedy: what
        )
    }
}

/// A decision that a person made about one trip by hand, valid until a day.
public struct ManualOverride: Sendable, Hashable {
    /// The trip's id, as UTF-8: texts that Swift calls equal may be the ids of two trips.
    public let tripID: [UInt8]
    /// The class it gives.
    public let tripClass: TripClass
    /// The basis it gives; empty where it names none.
    public let basis: String
    /// The person who decided.
    public let author: String
    /// The reason that person gave.
    public let reason: String
    /// The last day the override is valid; compared with the last day of the data, never with a
    /// clock.
    public let expires: CivilDate
    /// Its line in the file, from 1.
    public let lineNumber: Int

    /// Whether the override is in force.
    ///
    /// - Parameter dataThrough: The greatest pick-up date accepted; nil where there are no trips,
    ///   or the day is not known yet: then no override is in force.
    /// - Returns: Whether the override has not expired by that day.
    public func isInForce(_ dataThrough: CivilDate?) -> Bool {
        dataThrough.map { $0 <= expires } ?? false
    }
}

/// A class with its basis, as an override gives it.
public struct OverrideClassAndBasis: Sendable, Hashable {
    /// The class.
    public let tripClass: TripClass
    /// The basis; empty where there is none.
    public let basis: String

    /// Names a class with its basis.
    public init(tripClass: TripClass, basis: String) {
        self.tripClass = tripClass
        self.basis = basis
    }

    /// `contracted (contract)`.
    public var text: String { basis.isEmpty ? tripClass.word : "\(tripClass.word) (\(basis))" }
}
