internal import TripDomain

/// The number of ids with the mark of generated data, and the number without it.
public struct IDOrigins: Sendable, Hashable {
    /// The beginning of every generated trip id.
    public static let mark = "SYN-"

    /// Ids with the mark.
    public var generated = 0
    /// Ids without it.
    public var real = 0

    /// Whether no id was read.
    public var isEmpty: Bool { generated == 0 && real == 0 }

    static func += (left: inout IDOrigins, right: IDOrigins) {
        left.generated += right.generated
        left.real += right.real
    }

    /// Counts one id.
    mutating func count(_ id: some Sequence<UInt8>) {
        if id.starts(with: Self.mark.utf8) { generated += 1 } else { real += 1 }
    }

    /// Counts the ids of a column; NULL is not counted.
    mutating func count(_ ids: TextColumn) {
        let mark = Array(Self.mark.utf8)
        var marked = 0
        var seen = 0
        ids.pool.bytes.withUnsafeBufferPointer { bytes in
            for code in ids.codes where code != 0 {
                let range = ids.pool.range(code)
                var isMarked = range.count >= mark.count
                for index in mark.indices where isMarked {
                    isMarked = bytes[range.lowerBound + index] == mark[index]
                }
                marked += isMarked ? 1 : 0
                seen += 1
            }
        }
        generated += marked
        real += seen - marked
    }
}
