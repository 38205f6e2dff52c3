import NIOCore
import Synchronization

/// The open connections: each address has some and no more, and where there are as many as there may be, a new one
/// takes the place of the one that has been silent longest.
///
/// So those who open connections and say nothing keep nobody out: they lose theirs.
final class ConnectionBook: Sendable {
    private let countMax: Int
    private let addressCountMax: Int
    private let state = Mutex(State())

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var counts: [NetworkAddress: Int] = [:]

        mutating func add(_ entry: Entry) {
            entries[ObjectIdentifier(entry)] = entry
            if let address = entry.address { counts[address, default: 0] += 1 }
        }

        /// Removes an entry, if it is still there.
        mutating func remove(_ entry: Entry) {
            guard entries.removeValue(forKey: ObjectIdentifier(entry)) != nil,
                let address = entry.address, let count = counts[address]
            else { return }
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    /// An open connection.
    final class Entry: Sendable {
        let channel: any Channel
        let address: NetworkAddress?
        private let lastRead: Atomic<UInt64>

        init(_ channel: any Channel, _ address: NetworkAddress?) {
            (self.channel, self.address) = (channel, address)
            lastRead = Atomic(NIODeadline.now().uptimeNanoseconds)
        }

        /// When something came on it last, in nanoseconds.
        var heardAt: UInt64 { lastRead.load(ordering: .relaxed) }

        /// Something came just now.
        func hear() {
            lastRead.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
        }
    }

    /// An empty book.
    ///
    /// - Parameters:
    ///   - countMax: Connections at most.
    ///   - addressCountMax: Connections of one address at most; 0 is as many as there may be in all.
    init(countMax: Int, addressCountMax: Int) {
        self.countMax = countMax
        self.addressCountMax = addressCountMax
    }

    /// Enters a connection until it is closed.
    ///
    /// - Parameter channel: The connection.
    /// - Returns: Its entry; nil where its address has as many as it may have, in which case it is closed.
    /// - Complexity: O(*n*) for *n* connections where there are as many as there may be, else O(1).
    func enter(_ channel: any Channel) -> Entry? {
        let entry = Entry(channel, NetworkAddress(channel.remoteAddress?.ipAddress))
        let (isEntered, silent) = state.withLock { state -> (Bool, Entry?) in
            if let address = entry.address, addressCountMax > 0 {
                guard state.counts[address, default: 0] < addressCountMax else {
                    return (false, nil)
                }
            }
            let isFull = state.entries.count >= countMax
            let silent = isFull ? state.entries.values.min { $0.heardAt < $1.heardAt } : nil
            if let silent { state.remove(silent) }
            state.add(entry)
            return (true, silent)
        }
        silent?.channel.triggerUserOutboundEvent(CloseAtOnce(), promise: nil)
        guard isEntered else {
            // Nothing is said: whoever opens this many does not read it.
            channel.close(promise: nil)
            return nil
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.remove(entry) } }
        return entry
    }

    /// How many are open.
    var count: Int { state.withLock { $0.entries.count } }
}

/// Asks for an end without a word: whoever is silent does not answer the word of TLS for it either.
struct CloseAtOnce: Sendable {}

/// Notes when something comes on a connection, and ends it at once where that is asked for; it stands before TLS.
final class HearingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let entry: ConnectionBook.Entry

    init(_ entry: ConnectionBook.Entry) { self.entry = entry }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        entry.hear()
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard event is CloseAtOnce else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        context.close(promise: promise)
    }
}
