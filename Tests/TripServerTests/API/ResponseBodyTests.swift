import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import TripServer

@Suite struct ResponseBodyTests {
    private final class Wire: Sendable {
        let pieces = Mutex<[ByteBuffer]>([])
        let isFinished = Mutex(false)
    }

    /// Keeps what is written, a piece at a time.
    private struct Writer: ResponseBodyWriter {
        let wire: Wire

        mutating func write(_ buffer: ByteBuffer) { wire.pieces.withLock { $0.append(buffer) } }
        consuming func finish(_ trailingHeaders: HTTPFields?) {
            wire.isFinished.withLock { $0 = true }
        }
    }

    /// Around the lengths at which there is one piece more.
    @Test(arguments: [(0, -1), (0, 0), (0, 1), (1, 0), (1, 1), (8, 1)])
    func aLongAnswerGoesOutInPieces(wholePieces: Int, more: Int) async throws {
        let size = ResponseBody.pieceSize
        let length = (wholePieces + 1) * size + more
        let bytes = ByteBuffer(bytes: (0..<length).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let body = ResponseBody.inPieces(bytes)
        #expect(body.contentLength == length)
        let wire = Wire()
        try await body.write(Writer(wire: wire))
        let pieces = wire.pieces.withLock { $0 }
        #expect(pieces.count == (length + size - 1) / size)
        #expect(pieces.allSatisfy { (1...size).contains($0.readableBytes) })
        #expect(pieces.flatMap { Array($0.readableBytesView) } == Array(bytes.readableBytesView))
        #expect(wire.isFinished.withLock { $0 })
    }
}
