import Glibc
import TripText

/// Writes frames: a line of JSON, then the buffers of all columns in Arrow's layout.
///
/// Used by one thread at a time. `docs/SHARDS.md` has the form.
struct FrameWriter {
    /// Takes the bytes, in order.
    typealias Sink = ([UInt8]) throws(RunError) -> Void

    /// The most rows of a frame: a reader holds one frame in memory.
    static let rowMax = 1 << 18

    private let sink: Sink
    private var rowCount = 0

    init(to sink: @escaping Sink) { self.sink = sink }

    /// Writes rows.
    ///
    /// - Parameters:
    ///   - kind: The name of the frame.
    ///   - columns: Its columns, all with as many rows.
    /// - Throws: ``RunError`` where they cannot be written.
    mutating func write(_ kind: String, _ columns: [FrameColumn]) throws(RunError) {
        let count = columns.first?.count ?? 0
        precondition(columns.allSatisfy { $0.count == count }, "columns have the same rows")
        let buffers = columns.map { ($0, $0.buffers) }
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("frame", kind)
            json.value("rows", count)
            json.array("columns") { json in
                for (column, buffers) in buffers {
                    json.object { json in
                        json.value("name", column.name)
                        json.value("type", column.type.rawValue)
                        json.array("sizes") { json in
                            for buffer in buffers { json.value(nil, buffer.count) }
                        }
                    }
                }
            }
        }
        var bytes = json.text
        bytes.reserveCapacity(
            bytes.count + buffers.reduce(0) { $0 + $1.1.reduce(0) { $0 + $1.count } }
        )
        for (_, buffers) in buffers {
            for buffer in buffers { bytes += buffer }
        }
        try sink(bytes)
        rowCount += count
    }

    /// Writes a text.
    mutating func write(_ kind: String, text: [UInt8]) throws(RunError) {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("frame", kind)
            json.value("size", text.count)
        }
        try sink(json.text + text)
    }

    /// Writes the last frame.
    mutating func end() throws(RunError) {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("frame", "end")
            json.value("rows", rowCount)
        }
        try sink(json.text)
    }

    /// A sink that writes to a descriptor.
    ///
    /// - Parameter descriptor: The descriptor; the caller closes it.
    /// - Returns: The sink; its error says what the system answered.
    static func sink(to descriptor: Int32) -> Sink {
        { bytes throws(RunError) in
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes { all in
                    Glibc.write(
                        descriptor,
                        all.baseAddress?.advanced(by: written),
                        all.count - written
                    )
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw RunError(
                        .cannotWrite,
                        summary: "the frames cannot be written",
                        what: "The output: \(String(cString: strerror(errno))).",
                        remedies: ["See why the program that reads the frames ended."]
                    )
                }
                written += count
            }
        }
    }
}

extension FrameColumn {
    /// The three buffers: validity, offsets, data.
    fileprivate var buffers: [[UInt8]] {
        let validity = nulls.isEmpty ? [] : Self.bits(nulls.lazy.map { !$0 }, count: nulls.count)
        switch values {
        case .narrow(let values): return [validity, [], Self.bytes(values)]
        case .wide(let values): return [validity, [], Self.bytes(values)]
        case .reals(let values): return [validity, [], Self.bytes(values)]
        case .truths(let values): return [validity, [], Self.bits(values, count: values.count)]
        case .bytes(let ends, let data): return [validity, Self.bytes(ends), data]
        }
    }

    /// Numbers as the machine has them, which is little-endian.
    private static func bytes<Number>(_ numbers: [Number]) -> [UInt8] {
        numbers.withUnsafeBytes { Array($0) }
    }

    private static func bits(_ truths: some Sequence<Bool>, count: Int) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
        for (row, isSet) in truths.enumerated() where isSet { bits[row >> 3] |= 1 << (row & 7) }
        return bits
    }
}
