import TripDomain

/// Reads a slice of the trip rows of a finished file and adds it up.
///
/// The rows come in order of pick-up time, and most repeat the file and the status of the row
/// before. So almost no row needs a look-up to find its sums.
struct TripScan {
    private let columns: TripScanColumns
    private var recount = TripRecount()
    private var groups = GroupSums()
    private var file: (number: Int64, amount: LedgerAmount) = (0, LedgerAmount())
    private var status: (key: TripRecount.StatusKey, trips: Int64) = (
        .init(code: 0, isCounted: false), 0
    )

    private init(_ columns: TripScanColumns) {
        self.columns = columns
    }

    /// Adds up the trips of some leaves.
    ///
    /// - Returns: The sums, and the overflow pages of the leaves.
    /// - Throws: ``MartError`` where the file cannot be read; its code is `damaged` where a run
    ///   cannot have written a row.
    static func run(
        _ columns: TripScanColumns,
        _ tree: TreeReader,
        _ outline: TreeReader.Outline,
        leaves: Range<Int>
    ) throws(MartError) -> (recount: TripRecount, pages: [UInt32]) {
        var scan = TripScan(columns)
        var fields = RecordFields(count: columns.count)
        let pages = try tree.each(outline, leaves: leaves, .table) {
            number,
            record throws(MartError) in
            guard fields.open(record), fields.isWhole,
                fields.fit(columns.kinds), scan.add(number, fields)
            else {
                throw MartError.damagedRow(tree.path)
            }
        }
        return (scan.result(), pages)
    }

    /// Adds a row; false where a run cannot have written it.
    @inline(__always)
    private mutating func add(_ number: Int64, _ fields: borrowing RecordFields) -> Bool {
        // SQLite requires ascending row numbers.
        if let before = recount.numbers {
            guard number > before.upperBound else { return false }
            recount.numbers = before.lowerBound...number
        } else {
            recount.numbers = number...number
        }
        var values = RowValues()
        guard let id = fields.text(columns.tripID), values.read(fields, columns) else {
            return false
        }
        if values.counted != 0 { groups.add(values) }
        if values.file != file.number { closeFile(next: values.file) }
        file.amount += LedgerAmount(items: 1, cents: values.cost ?? 0)
        let key = TripRecount.StatusKey(code: values.status, isCounted: values.counted != 0)
        if key != status.key { closeStatus(next: key) }
        status.trips += 1
        recount.marks[0] &+= TripRecount.mark(number, id)
        recount.marks[1] &+= TripRecount.mark(
            number,
            UInt64(bitPattern: values.type),
            UInt64(bitPattern: values.region)
        )
        recount.rows += 1
        return true
    }

    private mutating func closeFile(next number: Int64) {
        if file.amount.items > 0 {
            recount.files[file.number, default: LedgerAmount()] += file.amount
        }
        file = (number, LedgerAmount())
    }

    private mutating func closeStatus(next key: TripRecount.StatusKey) {
        if status.trips > 0 { recount.statuses[status.key, default: 0] += status.trips }
        status = (key, 0)
    }

    private mutating func result() -> TripRecount {
        closeFile(next: 0)
        closeStatus(next: status.key)
        recount.groups = groups.sums
        return recount
    }
}

/// The values of a row that are added up; NULL is 0 in the columns that form a group's key.
private struct RowValues {
    var seconds: Int64 = 0
    var type: Int64 = 0
    var region: Int64 = 0
    var rule: Int64 = 0
    var cost: Int64?
    var miles: Int64?
    var counted: Int64 = 0
    var file: Int64 = 0
    var status: Int64 = 0

    /// Reads a row; false where a run cannot have written one of its values.
    @inline(__always)
    mutating func read(_ fields: borrowing RecordFields, _ columns: TripScanColumns) -> Bool {
        read(fields, columns.pickup, &seconds) && ValueLimits.isTime(seconds)
            && read(fields, columns.type, &type) && read(fields, columns.region, &region)
            && read(fields, columns.rule, &rule) && amount(fields, columns.cost, &cost)
            && amount(fields, columns.miles, &miles) && read(fields, columns.counted, &counted)
            && read(fields, columns.file, &file) && read(fields, columns.status, &status)
    }

    @inline(__always)
    private func read(
        _ fields: borrowing RecordFields,
        _ column: Int?,
        _ value: inout Int64
    ) -> Bool {
        var found: Int64?
        guard let column, fields.integer(column, &found) else { return column == nil }
        value = found ?? 0
        return true
    }

    @inline(__always)
    private func amount(
        _ fields: borrowing RecordFields,
        _ column: Int?,
        _ value: inout Int64?
    ) -> Bool {
        guard let column else { return true }
        return fields.integer(column, &value) && ValueLimits.isAmount(value ?? 0)
    }
}

/// Adds up rows by group.
///
/// The month is computed once per sequence of rows in the same month, and a small hash table finds
/// the sums of a group seen before.
private struct GroupSums {
    private static let slotCount = 4096

    private var known: [TripRecount.Key: Int] = [:]
    private var keys: [TripRecount.Key] = []
    private var amounts: [TripSums] = []
    /// A hash table by the key's hash: the number of a group plus one; 0 marks an empty slot.
    private var slots = [UInt32](repeating: 0, count: slotCount)
    private var month = Int32.min
    private var start = Int64.max
    private var end = Int64.min

    var sums: [TripRecount.Key: TripSums] { known.mapValues { amounts[$0] } }

    @inline(__always)
    mutating func add(_ row: RowValues) {
        if row.seconds < start || row.seconds >= end {
            let found = CivilTime.date(ofSeconds: row.seconds).month
            month = found.monthNumber
            start = Int64(found.firstDay.dayNumber) * CivilTime.daySeconds
            end = (Int64(found.lastDay.dayNumber) + 1) * CivilTime.daySeconds
        }
        let key = TripRecount.Key(
            month: month,
            typeCode: row.type,
            regionCode: row.region,
            ruleNumber: row.rule
        )
        amounts[number(of: key)].add(cost: row.cost, miles: row.miles)
    }

    @inline(__always)
    private mutating func number(of key: TripRecount.Key) -> Int {
        let mixed = TripRecount.mark(
            Int64(key.month),
            UInt64(bitPattern: key.typeCode &+ key.regionCode << 20),
            UInt64(bitPattern: key.ruleNumber)
        )
        let slot = Int(truncatingIfNeeded: mixed) & (Self.slotCount - 1)
        let noted = Int(slots[slot])
        if noted > 0, keys[noted - 1] == key { return noted - 1 }
        let number = known[key] ?? keys.count
        if number == keys.count {
            known[key] = number
            keys.append(key)
            amounts.append(TripSums())
        }
        slots[slot] = UInt32(number + 1)
        return number
    }
}

/// The positions of the columns that a scan adds up.
struct TripScanColumns: Sendable {
    let tripID: Int
    let pickup: Int
    let type: Int
    let region: Int
    let rule: Int
    let counted: Int
    let file: Int
    let cost: Int?
    let miles: Int?
    let status: Int?
    /// The number of columns of a row.
    let count: Int
    /// The kind of value of each column.
    let kinds: [RecordValue.Kind]

    /// Reads the columns from the file.
    init(_ connection: RawConnection) throws(MartError) {
        var positions: [String: Int] = [:]
        var kinds: [RecordValue.Kind] = []
        let stored = try connection.prepare(
            "SELECT name, cid, type, \"notnull\" FROM pragma_table_info('trip_row') ORDER BY cid"
        )
        while try stored.step() {
            positions[stored.text(0)] = Int(stored.integer(1))
            switch stored.text(2) {
            case "TEXT": kinds.append(.text)
            case "REAL": kinds.append(.real)
            default: kinds.append(stored.integer(3) == 0 ? .integer : .requiredInteger)
            }
        }
        func position(_ name: String) throws(MartError) -> Int {
            guard let position = positions[name] else {
                throw MartError.damagedRow(connection.path)
            }
            return position
        }
        (tripID, type) = (try position("trip_id"), try position("trip_type"))
        (region, rule) = (try position("region"), try position("rule_number"))
        (counted, file) = (try position("counted"), try position("file_number"))
        var pickup = "pickup_at"
        var (cost, miles, status): (Int?, Int?, Int?)
        let columns = try connection.prepare(
            "SELECT name, kind, stored_name, stored_as, role FROM trip_column ORDER BY position"
        )
        while try columns.step() {
            let stored = columns.text(2)
            if columns.text(0) == "pickup_at" { pickup = stored }
            if columns.text(4) == "cost" { cost = try position(stored) }
            if columns.text(0) == "miles_hundredths", columns.text(1) == "miles" {
                miles = try position(stored)
            }
            if columns.text(0) == Reconciliation.statusName, columns.text(1) == "text",
                columns.text(3) == TripStorage.codedText.word
            {
                status = try position(stored)
            }
        }
        self.pickup = try position(pickup)
        (self.cost, self.miles, self.status) = (cost, miles, status)
        count = positions.count
        self.kinds = kinds
    }
}

/// The sums of a slice of the trip rows: everything that the check before publication compares.
struct TripRecount {
    /// The key of a group of trips: codes instead of texts, so that no text is read per row.
    struct Key: Hashable {
        let month: Int32
        let typeCode: Int64
        let regionCode: Int64
        let ruleNumber: Int64
    }

    /// Counted trips, by group.
    var groups: [Key: TripSums] = [:]
    /// Accepted items and cents, by file number.
    var files: [Int64: LedgerAmount] = [:]
    /// Accepted trips by the code of their status (0 where there is none) and whether they count.
    var statuses: [StatusKey: Int64] = [:]
    /// For each index, the sum of a hash of each row's number and indexed values.
    ///
    /// Equal multisets of rows have equal sums; others differ but for a chance of one in 2^64.
    var marks: [UInt64] = [0, 0]
    var rows: Int64 = 0
    /// The numbers of the first and the last row; nil where there are no rows.
    var numbers: ClosedRange<Int64>?

    struct StatusKey: Hashable {
        let code: Int64
        let isCounted: Bool
    }

    /// Adds the next slice; false where its first row does not follow the last row of this one.
    mutating func append(_ next: TripRecount) -> Bool {
        if let own = numbers, let others = next.numbers {
            guard own.upperBound < others.lowerBound else { return false }
            numbers = own.lowerBound...others.upperBound
        } else {
            numbers = numbers ?? next.numbers
        }
        groups.merge(next.groups, uniquingKeysWith: +)
        files.merge(next.files, uniquingKeysWith: +)
        statuses.merge(next.statuses, uniquingKeysWith: +)
        for index in marks.indices { marks[index] &+= next.marks[index] }
        rows += next.rows
        return true
    }

    /// The hash of a row's number and indexed values.
    ///
    /// The number is multiplied first. Numbers and codes are both small: with `number ^ code`, two
    /// neighbours that exchange their codes would have the hashes they had.
    static func mark(_ number: Int64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        let spread = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
        return foldedProduct(foldedProduct(spread ^ first) ^ second)
    }

    static func mark(_ number: Int64, _ text: UnsafeRawBufferPointer) -> UInt64 {
        mark(number, textHash(text.assumingMemoryBound(to: UInt8.self)), 0)
    }
}
