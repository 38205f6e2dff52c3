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
    /// The numbers of the first and the last row; nil where there is none.
    var numbers: ClosedRange<Int64>?

    struct StatusKey: Hashable {
        let code: Int64
        let isCounted: Bool
    }

    /// Adds the slice behind this one; false where its rows do not go on behind the last of these.
    mutating func append(_ next: TripRecount) -> Bool {
        if let own = numbers, let others = next.numbers {
            guard own.upperBound < others.lowerBound else { return false }
            numbers = own.lowerBound...others.upperBound
        } else {
            numbers = numbers ?? next.numbers
        }
        groups.merge(next.groups) { first, second in
            var sum = first
            sum += second
            return sum
        }
        files.merge(next.files, uniquingKeysWith: +)
        statuses.merge(next.statuses, uniquingKeysWith: +)
        for index in marks.indices { marks[index] &+= next.marks[index] }
        rows += next.rows
        return true
    }

    static func mark(_ number: Int64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        ByteTable.mix(ByteTable.mix(UInt64(bitPattern: number), first), second)
    }

    static func mark(_ number: Int64, _ text: UnsafeRawBufferPointer) -> UInt64 {
        mark(number, ByteTable.hash(text.assumingMemoryBound(to: UInt8.self)), 0)
    }
}
