public import TripDomain

/// Searches many trips for a few trip ids.
///
/// Ids are compared as bytes: Swift treats texts as equal that write an accented letter in two
/// ways, but such ids belong to two trips.
public struct TripIDSearch: Sendable {
    /// The last record of a trip in order of exports.
    public struct LastRecord: Sendable, Hashable {
        /// The index of the file, in order of exports.
        public let fileIndex: Int
        /// The record, from 1.
        public let recordNumber: Int
    }

    private let hashes: Set<UInt64>
    private var lastRecords: [[UInt8]: LastRecord] = [:]

    /// Prepares a search for some ids.
    ///
    /// - Complexity: O(*n*) in the ids, 8 bytes for each.
    public init(_ ids: some Sequence<String>) {
        hashes = Set(ids.lazy.map(Self.hash))
    }

    /// Prepares a search for some ids, as bytes.
    ///
    /// - Complexity: O(*n*) in the ids, 8 bytes for each.
    public init(_ ids: [[UInt8]]) {
        hashes = Set(ids.map { $0.withUnsafeBufferPointer { textHash($0) } })
    }

    /// Looks for the ids in all trips.
    ///
    /// - Parameters:
    ///   - batches: The trips to search, in order of exports.
    ///   - column: The column of the trip id.
    /// - Complexity: O(*n*) in the trips; memory for each id that a trip has.
    public mutating func search(_ batches: [PackedBatch], column: Int) {
        guard !hashes.isEmpty else { return }
        for batch in batches {
            let texts = batch.columns[column].texts
            withExtendedLifetime(texts) {
                for row in 0..<batch.count {
                    let id = texts.reader[row].assumingMemoryBound(to: UInt8.self)
                    guard hashes.contains(textHash(id)) else { continue }
                    lastRecords[Array(id)] = LastRecord(
                        fileIndex: batch.fileIndex,
                        recordNumber: Int(batch.recordNumbers[row])
                    )
                }
            }
        }
    }

    /// The last record that was found of an id; nil where no trip has it.
    ///
    /// Among what was found there may be ids of equal hash that were not looked for.
    public func lastRecord(of id: String) -> LastRecord? {
        lastRecords.isEmpty ? nil : lastRecords[Array(id.utf8)]
    }

    /// The last record that was found of an id, as bytes; nil where no trip has it.
    public func lastRecord(of id: [UInt8]) -> LastRecord? { lastRecords[id] }

    private static func hash(_ id: String) -> UInt64 {
        var id = id
        return id.withUTF8 { textHash($0) }
    }
}
