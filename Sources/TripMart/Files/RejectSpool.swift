import Synchronization
public import TripDomain

/// Keeps the raw records of rejects from the time they are read until they are sealed.
///
/// The first of them stay in memory. Behind those all others lie in one temporary file, so that the
/// memory of a run does not depend on how many records its files have set aside, nor on how many
/// such files there are.
///
///     offset   0 …            residentSize …
///              in memory      in the file, from its byte 0 on
///
/// The file lies beside the new generation, readable for its owner alone, and loses its name as
/// soon as it is open: it is gone when the process ends, however it ends. It is made when it is
/// needed.
public final class RejectSpool: Sendable {
    /// Where a record lies.
    public struct Place: Sendable, Hashable {
        fileprivate let offset: Int
        fileprivate let size: Int
    }

    /// 16 MiB: a night with more has some 12,000 rejects of 1,300 bytes.
    public static let residentSizeMax = 16 << 20

    private struct State {
        var resident: [UInt8] = []
        var file: PageFile?
        /// The size of what lies in the file.
        var fileSize = 0
    }

    private let path: String
    private let residentSizeMax: Int
    private let state = Mutex(State())

    /// Creates an empty spool; touches no file.
    ///
    /// - Parameters:
    ///   - folder: The mart, whose folders exist when the first record is kept.
    ///   - residentSizeMax: The number of bytes that may be kept in memory.
    public init(_ folder: MartFolder, residentSizeMax: Int = RejectSpool.residentSizeMax) {
        path = folder.generationsPath + "/.building-rejects"
        self.residentSizeMax = residentSizeMax
    }

    /// The number of bytes that are kept in memory.
    public var residentSize: Int { state.withLock { $0.resident.count } }

    /// The number of bytes that are kept in the file.
    public var spooledSize: Int { state.withLock { $0.fileSize } }

    /// Keeps records; called on several threads at once.
    ///
    /// - Parameter texts: The records, as delivered.
    /// - Returns: The place of each.
    /// - Throws: ``MartError`` of the file.
    public func keep(_ texts: [[UInt8]]) throws(MartError) -> [Place] {
        var bytes: [UInt8] = []
        for text in texts { bytes += text }
        let start = try state.withLock { [bytes] state throws(MartError) in
            if state.file == nil, state.resident.count + bytes.count <= residentSizeMax {
                let start = state.resident.count
                state.resident += bytes
                return start
            }
            let file: PageFile
            if let open = state.file { file = open } else { file = try PageFile(temporary: path) }
            state.file = file
            let start = state.resident.count + state.fileSize
            try file.write(bytes, at: state.fileSize)
            state.fileSize += bytes.count
            return start
        }
        var offset = start
        return texts.map { text in
            defer { offset += text.count }
            return Place(offset: offset, size: text.count)
        }
    }

    /// Reads a record.
    ///
    /// - Parameter place: Where it lies.
    /// - Returns: Its bytes.
    /// - Throws: ``MartError`` of the file.
    public func text(at place: Place) throws(MartError) -> [UInt8] {
        let (resident, file, start) = state.withLock { state in
            let end = place.offset + place.size
            guard end > state.resident.count else {
                return ([UInt8](state.resident[place.offset..<end]), nil as PageFile?, 0)
            }
            return ([], state.file, place.offset - state.resident.count)
        }
        guard let file else { return resident }
        return try file.read(place.size, at: start)
    }
}

/// The records of the rejects of a generation, in a spool.
public struct SpooledTexts: RejectTexts {
    private let spool: RejectSpool
    private let places: [RejectSpool.Place]

    /// Names the records.
    ///
    /// - Parameters:
    ///   - spool: Where they are kept.
    ///   - places: The place of each, by the index of its reject.
    public init(_ spool: RejectSpool, _ places: [RejectSpool.Place]) {
        (self.spool, self.places) = (spool, places)
    }

    /// The number of records.
    public var count: Int { places.count }

    /// Reads the record of a reject.
    ///
    /// - Parameter index: The index of the reject.
    /// - Returns: Its bytes, as delivered.
    /// - Throws: ``MartError`` of the spool's file.
    public func text(_ index: Int) throws -> [UInt8] { try spool.text(at: places[index]) }
}
