internal import TripDomain

/// How many trip ids files have in common: what shows that one file repeats another.
///
/// Of a trip that several files have, each file is compared with the one before it alone: a file
/// that is sent again and again repeats the one before, and the work grows with the versions and
/// not with their pairs.
public struct SharedIDs: Sendable {
    /// Two files, by their index in order of exports.
    public struct FilePair: Sendable, Hashable {
        /// The earlier file.
        public let earlier: Int
        /// The later file.
        public let later: Int

        /// Pairs two files.
        ///
        /// - Parameters:
        ///   - earlier: The index of the earlier one in order of exports.
        ///   - later: The index of the later one.
        public init(earlier: Int, later: Int) {
            self.earlier = earlier
            self.later = later
        }
    }

    /// The number of trip ids that two files have in common.
    public let counts: [FilePair: Int]
    /// The number of distinct trip ids of each file that has any.
    public let idsOfFile: [Int: Int]

    /// Takes numbers that were counted part by part.
    ///
    /// - Parameters:
    ///   - counts: The number of trip ids that two files have in common.
    ///   - idsOfFile: The number of distinct trip ids of each file that has any.
    public init(counts: [FilePair: Int], idsOfFile: [Int: Int]) {
        (self.counts, self.idsOfFile) = (counts, idsOfFile)
    }

    /// Counts.
    ///
    /// - Parameters:
    ///   - groups: The positions of each trip that occurs more than once, in order of exports.
    ///   - batches: All valid trips.
    /// - Complexity: O(*m*) in the versions of trips that have several.
    init(_ groups: RepeatedGroups, _ batches: [PackedBatch]) {
        var idsOfFile: [Int: Int] = [:]
        for batch in batches { idsOfFile[batch.fileIndex, default: 0] += batch.count }
        var counts: [FilePair: Int] = [:]
        for index in 0..<groups.count {
            var before: Int?
            for position in groups[index] {
                let file = batches[Int(position.batch)].fileIndex
                if let before {
                    if before == file {
                        idsOfFile[file, default: 0] -= 1
                    } else {
                        counts[FilePair(earlier: before, later: file), default: 0] += 1
                    }
                }
                before = file
            }
        }
        (self.counts, self.idsOfFile) = (counts, idsOfFile)
    }
}
