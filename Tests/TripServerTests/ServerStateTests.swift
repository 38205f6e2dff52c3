import Dispatch
import HTTPTypes
import Testing
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct ServerStateTests {
    private struct Fault: Error {}

    @Test func theResultOfFileWorkComesBack() async throws {
        let state = try Self.state(BoundedQueue("test", .init(width: 1, capacity: 1)))
        #expect(try await state.onDisk { 7 } == 7)
        await #expect(throws: Fault.self) { try await state.onDisk { throw Fault() } }
    }

    /// Overload, and a disk that hangs, are answered with 503 and the time to wait.
    @Test(
        arguments: [
            .init(width: 1, capacity: 0),
            .init(width: 1, capacity: 1, waitMax: -1),
            .init(width: 1, capacity: 1, timeMax: 20),
        ] as [BoundedQueue.Limits]
    )
    func workBeyondTheLimitsIsAnsweredWithTooBusy(limits: BoundedQueue.Limits) async throws {
        let state = try Self.state(BoundedQueue("test", limits))
        let disk = DispatchSemaphore(value: 0)
        let problem = await #expect(throws: Problem.self) {
            try await state.onDisk { disk.wait() }
        }
        disk.signal()
        #expect(problem?.status == .serviceUnavailable)
        #expect(problem?.code == "too_busy")
        #expect(problem?.headers[.retryAfter] == "1")
    }

    private static func state(_ files: BoundedQueue) throws -> ServerState {
        let folder = MartFolder(path: "/nowhere")
        return ServerState(
            folder: ServingFolder(folder),
            keyRing: try KeyRing(path: nil, folder: folder, isRequired: false),
            now: { 0 },
            files: files
        )
    }
}
