import Glibc
import TripText

/// Reads frames as ``FrameWriter`` writes them, and refuses what does not fit.
///
/// Used by one thread at a time.
struct FrameReader {
    /// Fills a buffer with the next bytes; fewer only at the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws(RunError) -> Int

    /// The longest line of a frame: its columns, each with a name.
    private static let lineSizeMax = 1 << 20
    /// The largest buffer of a frame.
    private static let bufferSizeMax: Int64 = 1 << 31

    private let source: Source
    private var pending: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var number = 0
    private var rowCount = 0
    private var hasEnded = false

    init(from source: @escaping Source) { self.source = source }

    /// The next frame; nil after the last.
    ///
    /// - Throws: ``RunError`` with code `noUsableInput` where the stream is cut, or a frame
    ///   does not fit.
    mutating func next() throws(RunError) -> ShardFrame? {
        number += 1
        guard let line = try line() else {
            guard hasEnded else { throw fault("the stream ends without its frame `end`") }
            return nil
        }
        guard !hasEnded else { throw fault("there are bytes after the frame `end`") }
        let json: JSONObject
        let kind: String
        do throws(JSONFault) {
            json = try JSONObject(line)
            kind = try json.text("frame")
        } catch {
            throw fault(error)
        }
        if kind == "end" {
            let rows = try count(json, "rows")
            guard rows == rowCount else {
                throw fault("the stream has \(rowCount) rows, and its end says \(rows)")
            }
            hasEnded = true
            return .end(rows: rows)
        }
        guard json["columns"] != nil else {
            return .text(kind: kind, try bytes(try count(json, "size")))
        }
        let rows = try count(json, "rows")
        rowCount += rows
        return .rows(kind: kind, count: rows, columns: try columns(json, rows: rows))
    }

    private mutating func columns(
        _ json: JSONObject,
        rows: Int
    ) throws(RunError) -> [FrameColumn] {
        let described: [(name: String, type: FrameType, sizes: [Int])]
        do throws(JSONFault) {
            described = try json.objects("columns") { column throws(JSONFault) in
                (
                    try column.text("name"), try column.word("type", FrameType.self),
                    try Self.sizes(column)
                )
            }
        } catch {
            throw fault(error)
        }
        var columns: [FrameColumn] = []
        for (name, type, sizes) in described {
            let validity = try bytes(sizes[0])
            let offsets = try bytes(sizes[1])
            let data = try bytes(sizes[2])
            guard let values = Self.values(type, rows, offsets, data),
                validity.isEmpty || validity.count == (rows + 7) / 8
            else { throw fault("the sizes of its column `\(name)` do not fit \(rows) rows") }
            let nulls = validity.isEmpty ? [] : Self.truths(validity, rows).map { !$0 }
            columns.append(FrameColumn(name: name, type: type, values: values, nulls: nulls))
        }
        return columns
    }

    private static func sizes(_ column: JSONObject) throws(JSONFault) -> [Int] {
        var sizes: [Int] = []
        for value in try column.list("sizes") {
            guard case .integer(let size) = value, (0...bufferSizeMax).contains(size) else {
                throw column.fault("sizes", "holds something else than sizes of buffers")
            }
            sizes.append(Int(size))
        }
        guard sizes.count == 3 else {
            throw column.fault("sizes", "has \(sizes.count) sizes, expected 3")
        }
        return sizes
    }

    /// The values of three buffers; nil where their sizes do not fit.
    private static func values(
        _ type: FrameType,
        _ rows: Int,
        _ offsets: [UInt8],
        _ data: [UInt8]
    ) -> FrameColumn.Values? {
        func isFixed(_ size: Int) -> Bool { offsets.isEmpty && data.count == size }
        switch type {
        case .int32, .date32: return isFixed(4 * rows) ? .narrow(numbers(data)) : nil
        case .int64, .timestamp: return isFixed(8 * rows) ? .wide(numbers(data)) : nil
        case .float64: return isFixed(8 * rows) ? .reals(numbers(data)) : nil
        case .bool: return isFixed((rows + 7) / 8) ? .truths(truths(data, rows)) : nil
        case .utf8, .binary:
            if rows == 0, offsets.isEmpty { return data.isEmpty ? .bytes(ends: [0], []) : nil }
            guard offsets.count == 4 * (rows + 1) else { return nil }
            let ends: [Int32] = numbers(offsets)
            let isSorted = zip(ends, ends.dropFirst()).allSatisfy { $0 <= $1 }
            guard ends.first == 0, isSorted, ends.last.map(Int.init) == data.count else {
                return nil
            }
            return .bytes(ends: ends, data)
        }
    }

    private static func numbers<Number>(_ bytes: [UInt8]) -> [Number] {
        bytes.withUnsafeBytes { raw in
            [Number](unsafeUninitializedCapacity: raw.count / MemoryLayout<Number>.stride) {
                // Plain numbers: any bytes of their size are one.
                UnsafeMutableRawBufferPointer($0).copyMemory(from: raw)
                $1 = raw.count / MemoryLayout<Number>.stride
            }
        }
    }

    private static func truths(_ bits: [UInt8], _ count: Int) -> [Bool] {
        (0..<count).map { bits[$0 >> 3] >> UInt8($0 & 7) & 1 == 1 }
    }

    // MARK: - Bytes

    /// The next line without its end; nil at the end of the stream.
    private mutating func line() throws(RunError) -> [UInt8]? {
        var searched = 0
        while true {
            let rest = pending.dropFirst(searched)
            if let end = rest.firstIndex(of: 0x0A) {
                let line = Array(pending[..<end])
                pending = pending[(end + 1)...]
                return line
            }
            searched = pending.count
            guard searched <= Self.lineSizeMax else { throw fault("it begins with no line") }
            guard try more() else {
                guard pending.isEmpty else { throw fault("the stream is cut") }
                return nil
            }
        }
    }

    /// The next bytes.
    private mutating func bytes(_ count: Int) throws(RunError) -> [UInt8] {
        let taken = pending.prefix(count)
        pending = pending.dropFirst(taken.count)
        guard taken.count < count else { return Array(taken) }
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.replaceSubrange(..<taken.count, with: taken)
        let (source, start) = (source, taken.count)
        let filled = try bytes.withUnsafeMutableBufferPointer { buffer throws(RunError) in
            try source(
                UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(
                        rebasing: buffer[start...]
                    )
                )
            )
        }
        guard start + filled == count else { throw fault("the stream is cut") }
        return bytes
    }

    /// Reads more bytes; false at the end of the stream.
    private mutating func more() throws(RunError) -> Bool {
        guard !isAtEnd else { return false }
        // A line is short, and what follows it is read at once: a small step wastes no copy.
        var step = [UInt8](repeating: 0, count: 1 << 10)
        let source = source
        let count = try step.withUnsafeMutableBufferPointer { buffer throws(RunError) in
            try source(UnsafeMutableRawBufferPointer(buffer))
        }
        isAtEnd = count < step.count
        pending = Array(pending) + step[..<count]
        return count > 0
    }

    private func count(_ json: JSONObject, _ name: String) throws(RunError) -> Int {
        do throws(JSONFault) {
            let count = try json.count(name)
            guard count < Self.bufferSizeMax else {
                throw json.fault(name, "is larger than a frame can be")
            }
            return count
        } catch {
            throw fault(error)
        }
    }

    private func fault(_ error: JSONFault) -> RunError {
        fault("its line, \(error.place): \(error.finding)")
    }

    /// The refusal of a stream.
    ///
    /// - Parameter finding: What was found in the current frame.
    /// - Returns: The error.
    func fault(_ finding: String) -> RunError {
        RunError(
            .noUsableInput,
            summary: "a stream of frames cannot be read",
            what: "Frame \(number): \(finding).",
            remedies: ["See why the program that writes the frames ended, and run the task again."]
        )
    }

    /// A source that reads from a descriptor.
    ///
    /// - Parameter descriptor: The descriptor; the caller closes it.
    /// - Returns: The source; its error says what the system answered.
    static func source(of descriptor: Int32) -> Source {
        { buffer throws(RunError) in
            var filled = 0
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw RunError(
                        .ioFailed,
                        summary: "the frames cannot be read",
                        what: "The input: \(String(cString: strerror(errno))).",
                        remedies: ["Run the task again."]
                    )
                }
                if count == 0 { break }
                filled += count
            }
            return filled
        }
    }
}
