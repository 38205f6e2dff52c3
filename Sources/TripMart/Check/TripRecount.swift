import TripDomain

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

    static func mark(_ number: Int64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        foldedProduct(foldedProduct(UInt64(bitPattern: number) ^ first) ^ second)
    }

    static func mark(_ number: Int64, _ text: UnsafeRawBufferPointer) -> UInt64 {
        mark(number, textHash(text.assumingMemoryBound(to: UInt8.self)), 0)
    }
}
