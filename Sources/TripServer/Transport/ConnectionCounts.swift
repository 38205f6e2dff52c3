import NIOCore
import Synchronization

/// How many connections each address has open: beyond some, more of it are closed at once.
final class ConnectionCounts: Sendable {
    private let countMax: Int
    private let state = Mutex<[NetworkAddress: Int]>([:])

    /// Counts for every address.
    ///
    /// - Parameter countMax: Connections of one address at most; 0 is as many as there may be in all.
    init(countMax: Int) { self.countMax = countMax }

    /// Counts a connection until it is closed.
    ///
    /// - Parameter channel: The connection.
    /// - Returns: Whether it may be served; not where its address has as many as it may have.
    func admit(_ channel: any Channel) -> Bool {
        guard countMax > 0, let address = NetworkAddress(channel.remoteAddress?.ipAddress) else {
            return true
        }
        let isAdmitted = state.withLock { counts in
            guard counts[address, default: 0] < countMax else { return false }
            counts[address, default: 0] += 1
            return true
        }
        if isAdmitted { channel.closeFuture.whenComplete { [self] _ in leave(address) } }
        return isAdmitted
    }

    private func leave(_ address: NetworkAddress) {
        state.withLock { counts in
            guard let count = counts[address], count > 1 else {
                counts.removeValue(forKey: address)
                return
            }
            counts[address] = count - 1
        }
    }
}
