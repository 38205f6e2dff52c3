import TripDomain

/// What a slice of the trip rows adds up to: everything the check before publication compares.
struct TripRecount {
    /// A group of trips as it is kept: codes instead of texts, so that no text is read per row.
    struct Key: Hashable {
        let month: Int32
        let typeCode: Int64
        let regionCode: Int64
        let ruleNumber: Int64
    }

    /// Counted trips, by group.
    var groups: [Key: KPISums] = [:]
    /// Accepted items and cents, by file number.
    var files: [Int64: LedgerAmount] = [:]
    /// Accepted trips by the code of their status (0 where there is none) and whether they count.
    var statuses: [StatusKey: Int64] = [:]
    /// Sums of a mixture of each row's number with what an index holds of it: equal multisets of
    /// rows have equal sums, and others differ but for a chance of one in 2^64.
    var marks: [UInt64] = [0, 0]
    var rows: Int64 = 0

    struct StatusKey: Hashable {
        let code: Int64
        let isCounted: Bool
    }

    /// Adds another slice.
    static func += (left: inout TripRecount, right: TripRecount) {
        left.groups.merge(right.groups) { first, second in
            var sum = first
            sum += second
            return sum
        }
        left.files.merge(right.files, uniquingKeysWith: +)
        left.statuses.merge(right.statuses, uniquingKeysWith: +)
        for index in left.marks.indices { left.marks[index] &+= right.marks[index] }
        left.rows += right.rows
    }

    static func mark(_ number: Int64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        ByteTable.mix(ByteTable.mix(UInt64(bitPattern: number), first), second)
    }

    static func mark(_ number: Int64, _ text: UnsafeRawBufferPointer) -> UInt64 {
        mark(number, ByteTable.hash(text.assumingMemoryBound(to: UInt8.self)), 0)
    }
}

/// Reads a slice of the trip rows of a finished file and adds it up.
///
/// The rows come in order of pick-up time and mostly repeat the file of the row before, so that the
/// sums of the current file and month are found without a look-up for almost every row.
struct TripScan {
    private static let noCost: Int32 = 6
    private let columns: TripScanColumns

    init(_ columns: TripScanColumns) {
        self.columns = columns
    }

    /// Adds up the trips of a range of numbers.
    func run(
        _ connection: RawConnection,
        from first: Int64,
        through last: Int64
    ) throws(MartError) -> TripRecount {
        let statement = try connection.prepare(
            """
            SELECT trip_number, trip_id, \(columns.pickup), trip_type, region, rule_number,
                \(columns.cost), \(columns.miles), counted, file_number, \(columns.status)
            FROM trip_row NOT INDEXED WHERE trip_number BETWEEN ? AND ? ORDER BY trip_number
            """
        )
        statement.bind(.integer(first), 1)
        statement.bind(.integer(last), 2)
        var recount = TripRecount()
        var groups = GroupSums()
        while try statement.step() {
            let number = statement.integer(0)
            let seconds = try Plausible.seconds(statement, 2)
            let (type, region) = (statement.integer(3), statement.integer(4))
            let rule = statement.integer(5)
            let cost =
                statement.isNull(Self.noCost) ? nil : try Plausible.amount(statement, 6)
            let miles = statement.isNull(7) ? nil : try Plausible.amount(statement, 7)
            let isCounted = statement.integer(8) != 0
            if isCounted {
                groups.add(
                    seconds: seconds,
                    type: type,
                    region: region,
                    rule: rule,
                    tripClass: columns.tripClass(ofRule: rule),
                    cost: cost,
                    miles: miles
                )
            }
            recount.files[statement.integer(9), default: LedgerAmount()] +=
                LedgerAmount(items: 1, cents: cost ?? 0)
            recount.statuses[
                .init(code: statement.integer(10), isCounted: isCounted),
                default: 0
            ] += 1
            recount.marks[0] &+= TripRecount.mark(number, statement.bytes(1))
            recount.marks[1] &+= TripRecount.mark(
                number,
                UInt64(bitPattern: type),
                UInt64(bitPattern: region)
            )
            recount.rows += 1
        }
        recount.groups = groups.sums
        return recount
    }
}

/// Sums by group, with the month looked up once per run of rows.
private struct GroupSums {
    private(set) var sums: [TripRecount.Key: KPISums] = [:]
    private var month = Int32.min
    private var start = Int64.max
    private var end = Int64.min

    // One parameter per column of the row; a struct for them would only be taken apart again.
    mutating func add(
        seconds: Int64,
        type: Int64,
        region: Int64,
        rule: Int64,
        tripClass: TripClass,
        cost: Int64?,
        miles: Int64?
    ) {
        if seconds < start || seconds >= end {
            let found = CivilTime.date(ofSeconds: seconds).month
            month = found.monthNumber
            start = Int64(found.firstDay.dayNumber) * CivilTime.daySeconds
            end = (Int64(found.lastDay.dayNumber) + 1) * CivilTime.daySeconds
        }
        let key = TripRecount.Key(
            month: month,
            typeCode: type,
            regionCode: region,
            ruleNumber: rule
        )
        sums[key, default: KPISums()].add(tripClass: tripClass, cost: cost, miles: miles)
    }
}

/// The names a scan reads by, and the class of each rule.
struct TripScanColumns: Sendable {
    let pickup: String
    let cost: String
    let miles: String
    let status: String
    private let classes: [TripClass]

    init(_ connection: RawConnection) throws(MartError) {
        var pickup = "pickup_at"
        var (cost, miles, status) = ("NULL", "NULL", "NULL")
        let columns = try connection.prepare(
            "SELECT name, kind, stored_name, stored_as, role FROM trip_column ORDER BY position"
        )
        while try columns.step() {
            let stored = GenerationSchema.quoted(columns.text(2))
            if columns.text(0) == "pickup_at" { pickup = stored }
            if columns.text(4) == "cost" { cost = stored }
            if columns.text(0) == "miles_hundredths", columns.text(1) == "miles" { miles = stored }
            if columns.text(0) == Bridge.statusName, columns.text(1) == "text" {
                status = columns.text(3) == TripStorage.codedText.word ? stored : "NULL"
            }
        }
        (self.pickup, self.cost, self.miles, self.status) = (pickup, cost, miles, status)
        var classes: [TripClass] = [.undetermined]
        let rules = try connection.prepare("SELECT class FROM rule ORDER BY number")
        while try rules.step() {
            classes.append(TripClass(word: rules.text(0)) ?? .undetermined)
        }
        self.classes = classes
    }

    func tripClass(ofRule number: Int64) -> TripClass {
        classes.indices.contains(Int(number)) ? classes[Int(number)] : .undetermined
    }
}
