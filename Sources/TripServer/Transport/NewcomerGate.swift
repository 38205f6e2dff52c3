import NIOCore

/// Stands where connections are taken in, and has few wait for it while more come than can be answered: who is not heard costs
/// nothing, and a handshake takes many times what most answers do.
///
/// Those who waited too long when that begins are closed unread: nothing can be said to them there. Whoever is connected already
/// keeps their connection.
final class NewcomerGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let tally: ConnectionTally
    private let book: ConnectionBook
    private let files: FileWork
    private var leaverCount = 0
    private let socket: ListeningSocket?
    private var crowding: Crowding
    /// What somebody may have waited when a crowd begins.
    private let waitMax: TimeAmount
    /// Whether few are kept waiting, as in a crowd.
    private var keepsFew = false
    /// How many were taken in in this turn.
    private var takenCount = 0
    /// The socket's ``ListeningSocket/missedCount`` of the last look in a crowd.
    private var lookedCount: UInt32 = 0
    /// When those who waited too long were closed last; nil where they never were.
    private var clearedAt: NIODeadline?
    /// So many more wait than Linux is told.
    private static let overhang = 1
    /// Whether it is about to end a turn in which nobody may have come.
    private var isWatching = false
    /// How often it looks while it is crowded, though nobody comes.
    private static let watchInterval = TimeAmount.milliseconds(500)
    /// How long it takes nobody in before it looks again whether it may.
    private static let pause = TimeAmount.milliseconds(2)

    private init(
        _ tally: ConnectionTally,
        _ book: ConnectionBook,
        _ files: FileWork,
        _ socket: ListeningSocket?,
        _ crowding: Crowding,
        _ waitMax: TimeAmount
    ) {
        (self.tally, self.book, self.files) = (tally, book, files)
        (self.socket, self.crowding, self.waitMax) = (socket, crowding, waitMax)
    }

    /// Puts one before what a server does with new connections.
    ///
    /// - Parameters:
    ///   - channel: What the server listens with, with ``Intake/backlog``.
    ///   - tally: What counts those who are turned away.
    ///   - book: What knows of those who are taken in.
    ///   - files: What those who are taken in may wait for.
    ///   - crowding: When it is crowded.
    ///   - waitMax: What somebody may have waited when a crowd begins: of 1.2 s, so that the rest is enough for a handshake and an answer.
    /// - Returns: Whether it has few wait in a crowd: it does not where it cannot find what the server listens with.
    /// - Throws: What NIO throws where the server is being closed already.
    static func add(
        to channel: any Channel,
        tally: ConnectionTally,
        book: ConnectionBook,
        files: FileWork = FileWork(),
        crowding: Crowding = Crowding(),
        waitMax: TimeAmount = .milliseconds(250)
    ) async throws -> Bool {
        try await channel.eventLoop.submit {
            let socket = channel.localAddress?.port.flatMap { ListeningSocket(port: $0) }
            let gate = NewcomerGate(tally, book, files, socket, crowding, waitMax)
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: Intake.perTurn)
            try channel.pipeline.syncOperations.addHandler(gate, position: .first)
            return socket != nil
        }.get()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        endTurn(context)
        context.fireChannelReadComplete()
    }

    private func endTurn(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        noteLeavers()
        // Those of the turn in which it begins found all places.
        if keepsFew {
            crowding.noteTurn(takenCount: takenCount, missedCount: lookForMissed(), at: .now())
        }
        takenCount = 0
        if keepsFew != crowding.isCrowded { keep(few: crowding.isCrowded, context.channel) }
        guard keepsFew else { return }
        clear(at: .now())
        watch(context)
    }

    private func noteLeavers() {
        let leaverCount = book.leaverCount
        crowding.noteLeavers(leaverCount - self.leaverCount)
        self.leaverCount = leaverCount
    }

    /// Keeps few waiting and takes few in at once from now on, or as many as before a crowd.
    private func keep(few: Bool, _ channel: any Channel) {
        keepsFew = few
        // Who found no place before does not make a crowd last.
        _ = lookForMissed()
        let perTurn = few ? Intake.perTurnInCrowd : Intake.perTurn
        // It was set before, so that it can be set.
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: perTurn)
        socket?.keep(waiting: few ? Intake.backlogInCrowd : Intake.backlog)
    }

    /// Closes those who have left or waited too long, of a queue from before the crowd; once within the time that is too long, since one
    /// who has not waited for it is closed each time.
    private func clear(at now: NIODeadline) {
        let isDue = clearedAt.map { now - $0 >= waitMax } ?? true
        guard isDue, let socket, let count = socket.waitingCount,
            count > Intake.backlogInCrowd + Self.overhang
        else { return }
        clearedAt = now
        tally.noteTurnedAway(socket.closeThose(whoWaited: waitMax, atMost: count))
    }

    /// Ends a turn after a while in which nobody may come, so that the next ones find all as before.
    private func watch(_ context: ChannelHandlerContext) {
        guard !isWatching else { return }
        isWatching = true
        let place = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.watchInterval) {
            let (gate, context) = place.value
            gate.isWatching = false
            gate.endTurn(context)
        }
    }

    /// How often somebody found no place since the last look; 0 where the system does not say.
    private func lookForMissed() -> Int {
        let before = lookedCount
        lookedCount = socket?.missedCount ?? before
        return Int(lookedCount &- before)
    }

    /// Takes nobody in for a moment where those who were would only wait: who is not heard costs nothing.
    func read(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        guard crowding.isCrowded, files.isBehind else {
            context.read()
            return
        }
        let place = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (gate, context) = place.value
            gate.read(context: context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        takenCount += 1
        noteLeavers()
        crowding.noteNewcomer(at: .now())
        context.fireChannelRead(data)
    }
}
