import CZlib
import HTTPTypes
import Hummingbird

/// Bytes compressed for the way to the reader (RFC 1952), and whether a reader takes them so.
enum GzipText {
    /// Below it the header of the format eats what is saved.
    static let leastSize = 1024
    /// Half of the time of the usual level, for a tenth more bytes.
    private static let level: Int32 = 4
    /// The greatest window, in the format of gzip.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// Compresses bytes; equal bytes always give equal ones.
    ///
    /// - Returns: The compressed bytes; nil where the library cannot.
    /// - Complexity: O(*n*).
    static func bytes(_ text: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let isReady =
            deflateInit2_(
                &stream,
                level,
                Z_DEFLATED,
                windowBits,
                memoryLevel,
                Z_DEFAULT_STRATEGY,
                zlibVersion(),
                size
            ) == Z_OK
        guard isReady, let inputSize = UInt32(exactly: text.count) else { return nil }
        defer { deflateEnd(&stream) }
        // As much as the library says it may need: one call writes it all.
        let bound = Int(deflateBound(&stream, UInt(text.count)))
        guard let outputSize = UInt32(exactly: bound) else { return nil }
        var input = text
        let output = input.withUnsafeMutableBufferPointer { input in
            // The library fills it from the front and says how far.
            [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                (stream.next_in, stream.avail_in) = (input.baseAddress, inputSize)
                (stream.next_out, stream.avail_out) = (output.baseAddress, outputSize)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
        return output.isEmpty ? nil : output
    }

    /// Whether a request takes gzip (RFC 9110 §12.5.3).
    static func isWelcome(to request: Request) -> Bool {
        var isWelcome = false
        for entry in request.headers[values: .acceptEncoding].flatMap({ $0.split(separator: ",") })
        {
            let parts = entry.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard let coding = parts.first, coding == "gzip" || coding == "*" else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map {
                Double($0.dropFirst(2))
            }
            // A weight that cannot be read is none.
            let isTaken = (weight ?? 1) ?? 0 > 0
            // What is said of gzip itself counts more than what is said of all.
            if coding == "gzip" { return isTaken }
            isWelcome = isTaken
        }
        return isWelcome
    }
}
