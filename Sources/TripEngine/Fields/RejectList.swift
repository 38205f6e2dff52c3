import TripDomain

/// How many records of one file may be set aside.
///
/// A file beyond it is no export that the pipeline reads, and is refused as a whole while it is
/// read: otherwise a few kilobytes of compressed lines would take gigabytes of memory.
public struct RejectLimits: Sendable, Hashable {
    /// The greatest number of rejects.
    public var countMax: Int
    /// The greatest size of their records together, in bytes.
    public var sizeMax: Int

    /// No limits, for bytes that were taken in before.
    public static let none = RejectLimits(countMax: .max, sizeMax: .max)

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - countMax: The greatest number of rejects. 50,000: at 1 % those of five million records.
    ///   - sizeMax: The greatest size of their records together. 64 MiB: 50,000 of 1,300 bytes.
    public init(countMax: Int = 50_000, sizeMax: Int = 64 << 20) {
        self.countMax = countMax
        self.sizeMax = sizeMax
    }
}

/// The rejects of one slice, each with its raw record, or those of a whole file, in its order.
struct RejectList: Sendable {
    let limits: RejectLimits
    private(set) var rejects: [Reject] = []
    /// The raw record of each reject; of a whole file, of those added since they were last taken.
    private(set) var texts: [[UInt8]] = []
    private var size = 0

    init(_ limits: RejectLimits) {
        self.limits = limits
    }

    /// Whether there are more than a file may have.
    ///
    /// The last reject is then the first beyond the limits, and no further one is kept.
    var isOver: Bool { rejects.count > limits.countMax || size > limits.sizeMax }

    /// Adds a reject and its record, unless there are too many already.
    mutating func append(_ reject: Reject, text: [UInt8]) {
        guard !isOver else { return }
        rejects.append(reject)
        texts.append(text)
        size += text.count
    }

    /// Gives a reject the amount that was derived of its record.
    mutating func price(_ cost: RejectedRecords.Cost) {
        rejects[cost.reject].amountCents = cost.cents
        rejects[cost.reject].isUnpriced = cost.isUnpriced
    }

    /// Gives the raw records away; they count towards the limits all the same.
    ///
    /// - Returns: The records of the rejects that were added since the last call.
    mutating func takeTexts() -> [[UInt8]] {
        defer { texts = [] }
        return texts
    }

    /// The refusal of a file whose rejects these are.
    ///
    /// - Parameter name: The file.
    /// - Returns: The fault, with the most frequent reason and its first line.
    /// - Precondition: There are too many.
    func fault(_ name: String) -> SourceFault {
        precondition(isOver, "only a file beyond the limits is refused for them")
        guard let last = rejects.last else { preconditionFailure("there is a reject") }
        var tallies: [RejectReason: (count: Int, firstLine: Int)] = [:]
        for reject in rejects { tallies[reject.reason, default: (0, reject.lineNumber)].count += 1 }
        // By count, then by place, so that nothing depends on hash order.
        let most = tallies.max {
            ($0.value.count, $1.value.firstLine) < ($1.value.count, $0.value.firstLine)
        }
        let found =
            rejects.count > limits.countMax
            ? "more rejects than a file may have (\(limits.countMax))"
            : "rejects of more bytes than a file may have (\(limits.sizeMax))"
        let reason = most.map {
            ", mostly `\($0.key.rawValue)`, first at line \($0.value.firstLine)"
        }
        return SourceFault(
            code: .tooManyRejects,
            position: SourcePosition(
                file: name,
                recordNumber: last.recordNumber,
                lineNumber: last.lineNumber,
                byteOffset: last.byteOffset
            ),
            finding: "has \(found) by line \(last.lineNumber)\(reason ?? "")",
            remedy:
                "Compare these lines with the source's dialect and layout. If so many are meant "
                + "to be set aside, raise `limits: {rejects: …, rejected_bytes: …}` of the source."
        )
    }
}
