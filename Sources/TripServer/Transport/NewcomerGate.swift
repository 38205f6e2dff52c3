import NIOCore
import NIOPosix

/// Stands where connections are taken in, and closes unread those that have waited too long while more come than can be
/// answered: before a handshake, which takes ten times what most answers do.
///
/// Nothing can be said to them there. Whoever is connected already keeps their connection.
final class NewcomerGate: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let tally: ConnectionTally
    private let socket: ListeningSocket?
    private var crowding: Crowding
    private var intake = Intake.usual
    /// How many were taken in in this turn.
    private var takenCount: UInt = 0
    /// How many are looked at now: open, and known here alone.
    private var lookedAtCount = 0

    private init(_ tally: ConnectionTally, _ socket: ListeningSocket?, _ crowding: Crowding) {
        (self.tally, self.socket, self.crowding) = (tally, socket, crowding)
    }

    /// Puts one before what a server does with new connections.
    ///
    /// - Parameters:
    ///   - channel: What the server listens with, with the backlog of ``Intake/usual``.
    ///   - tally: What counts those who are turned away.
    ///   - crowding: When it is crowded.
    /// - Throws: What NIO throws where the server is being closed already.
    static func add(
        to channel: any Channel,
        tally: ConnectionTally,
        crowding: Crowding = Crowding()
    ) async throws {
        try await channel.eventLoop.submit {
            let socket = channel.localAddress?.port.flatMap { ListeningSocket(port: $0) }
            let gate = NewcomerGate(tally, socket, crowding)
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: gate.intake.perTurn)
            try channel.pipeline.syncOperations.addHandler(gate, position: .first)
        }.get()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        crowding.noteTurn(isQueued: isQueued, at: .now())
        takenCount = 0
        let wanted = intake.next(crowding)
        if wanted != intake, context.channel.isActive { take(wanted, context.channel) }
        context.fireChannelReadComplete()
    }

    /// Whether there is a queue behind those who were taken in in this turn.
    private var isQueued: Bool {
        guard intake != .usual, let count = socket?.waitingCount else {
            return takenCount >= intake.perTurn
        }
        // So few at once come by themselves.
        return count >= intake.backlog / 2
    }

    /// Takes as many from now on.
    private func take(_ wanted: Intake, _ channel: any Channel) {
        // It was set before, so that it can be set.
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: wanted.perTurn)
        if wanted.backlog != intake.backlog { socket?.keep(waiting: wanted.backlog) }
        intake = wanted
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        takenCount += 1
        // Others count them only once they have them.
        guard crowding.looksAtNewcomers, lookedAtCount < Intake.usual.perTurn else {
            context.fireChannelRead(data)
            return
        }
        lookedAtCount += 1
        let (newcomer, crowding) = (unwrapInboundIn(data), crowding)
        let place = NIOLoopBound((self, context, data), eventLoop: context.eventLoop)
        // On its own thread: what it waits for that counts as well.
        Wait.of(newcomer).whenSuccess { [tally] wait in
            let isAdmitted = !wait.isOver && crowding.admits(waited: wait.time)
            if !isAdmitted {
                tally.noteTurnedAway()
                newcomer.close(promise: nil)
            }
            place.eventLoop.execute {
                let (gate, context, data) = place.value
                gate.lookedAtCount -= 1
                gate.crowding.noteNewcomer(hasLeft: wait.isOver, isTurnedAway: !isAdmitted)
                if isAdmitted { Self.takeIn(newcomer, data, context) }
            }
        }
    }

    private static func takeIn(
        _ newcomer: any Channel,
        _ data: NIOAny,
        _ context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else {
            newcomer.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }

    /// How long somebody has waited.
    private struct Wait {
        /// For what they sent last to be read, or where they sent nothing, for their connection to be taken in.
        var time = TimeAmount.zero
        /// Whether they have left, or have said that they send nothing more.
        var isOver = false

        /// TCP's number of a connection that both sides keep open.
        private static let established: UInt8 = 1

        /// What the system says of it; no wait where it says nothing.
        static func of(_ newcomer: any Channel) -> EventLoopFuture<Wait> {
            guard let provider = newcomer as? any SocketOptionProvider else {
                return newcomer.eventLoop.makeSucceededFuture(Wait())
            }
            return provider.getTCPInfo().map { said in
                Wait(
                    time: .milliseconds(Int64(said.tcpi_last_data_recv)),
                    isOver: said.tcpi_state != established
                )
            }.recover { _ in Wait() }
        }
    }
}
