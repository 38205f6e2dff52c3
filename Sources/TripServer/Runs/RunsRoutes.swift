import HTTPTypes
import Hummingbird
import TripDomain
import TripIdentity
import TripMart

/// `/runs`, `/runs/{id}` and `/runs/{id}/cancel`: what ran, what is asked for, and how far it is.
///
/// The server carries nothing out: it puts a request into the mart's queue, where `triptych runs work`
/// finds it.
struct RunsRoutes {
    let board: Board
    let queue: RunQueue
    let folder: MartFolder
    /// Who did what; nil where nobody signs in.
    let record: AccessRecord?

    /// For how many milliseconds somebody else may hold the queue.
    private static let patience = 500
    /// Runs of the list that are shown.
    private static let shownLimit = 50
    /// Requests of it.
    private static let askedLimit = 200

    init(board: Board, folder: MartFolder, record: AccessRecord?) {
        self.board = board
        self.folder = folder
        self.record = record
        // Less than a route has for its files: whoever holds the queue holds up no list of trips.
        queue = RunQueue(folder, patience: Self.patience)
    }

    /// Everything that is asked for, and what ran of late.
    func list(_ request: Request, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        _ = try QueryReading(request, known: [])
        let (queue, folder) = (queue, folder)
        let (asked, ran) = try await board.files.perform {
            (
                try queue.all(),
                try RunLog.openIfPresent(folder)?.list(limit: Self.shownLimit) ?? []
            )
        }
        var json = JSONText()
        json.object { json in
            json.array("requests") { json in
                for run in asked.prefix(Self.askedLimit) {
                    json.object(isLine: true) { $0.members(of: run) }
                }
            }
            json.array("runs") { json in
                for run in ran { json.object(isLine: true) { $0.members(of: run) } }
            }
        }
        return Answer.unkept(json.text)
    }

    /// One request and how far it is.
    func one(_ request: Request, _ id: String, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        _ = try QueryReading(request, known: [])
        let queue = queue
        let found = try await board.files.perform { try queue.run(id) }
        guard let found else { throw Problem.noSuchRun }
        return Self.answer(found)
    }

    /// Asks for a re-classification; the same key asks for the same one, however often it is sent.
    func start(_ request: Request, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        // A plan that was named in the address would be left out of account.
        _ = try QueryReading(request, known: [])
        guard let key = request.headers[.idempotencyKey], Self.isKey(key) else {
            throw Problem.idempotencyKeyMissing
        }
        let form = try await FormReading(request)
        guard Set(form.fields.keys).isSubset(of: ["plan"]) else { throw Problem.unknownParameter }
        let plan = form.fields["plan"]
        guard plan.map(RunRequest.isPlan) ?? true else {
            throw Problem.parameter("plan", "A plan is named by its eight digits.")
        }
        let account = caller.session?.account
        let id = RunQueue.id(of: key, by: account?.id ?? 0)
        let wanted = RunRequest(at: board.now(), by: account?.name.text ?? "nobody", plan: plan)
        let queue = queue
        do {
            let known = try await board.files.perform { try queue.run(id) }
            // What was asked for before is on record.
            if known == nil { try await note(.runRequested, id, caller) }
            let run = try await board.files.perform { try queue.add(id, wanted) }
            guard run.request.plan == plan else { throw Problem.idempotencyKeyReused }
            return Self.answer(run, status: .accepted, location: RouteTable.runs + "/" + id)
        } catch RunQueue.Refusal.full {
            try await note(.changeRefused, id, caller, detail: .runRequested)
            throw Problem.queueFull
        }
    }

    /// Calls a run off that does not write yet.
    func cancel(_ request: Request, _ id: String, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        // Nobody reads it.
        guard !request.hasBody else { throw Problem.badRequest }
        _ = try QueryReading(request, known: [])
        let (queue, now) = (queue, board.now())
        let known = try await board.files.perform { try queue.run(id) }
        guard let known else { throw Problem.noSuchRun }
        if case .ended = known.state { return Self.answer(known) }
        if known.isWriting { throw Problem.tooLateToCancel }
        // Before it is done: what cannot be recorded is not done.
        try await note(.runCancelled, id, caller)
        let outcome = try await board.files.perform {
            try queue.cancel(id, now: now)
        }
        switch outcome {
        case .heeded(let run): return Self.answer(run)
        case .over(let run):
            try await note(.changeRefused, id, caller, detail: .runCancelled)
            return Self.answer(run)
        case .unknown, .tooLate:
            try await note(.changeRefused, id, caller, detail: .runCancelled)
            if case .unknown = outcome { throw Problem.noSuchRun }
            throw Problem.tooLateToCancel
        }
    }

    /// What is published is everybody's: who sees some regions alone does not decide on all.
    private func mayRun(_ caller: Caller) throws(Problem) {
        try caller.require(.runs)
        // Whose accounts everybody knows changes nothing of a mart that it does not show.
        if board.servesGeneratedTripsOnly { _ = try board.served() }
        guard caller.regions == nil else { throw .forbidden }
    }

    private func note(
        _ event: AccessEntry.Event,
        _ id: String,
        _ caller: Caller,
        detail: AccessEntry.Event? = nil
    ) async throws {
        guard let record, let account = caller.session?.account.id else { return }
        let entry = AccessEntry(
            event,
            at: board.now(),
            account: account,
            subject: id,
            detail: detail?.rawValue
        )
        _ = try await record.add(entry)
    }

    private static func answer(
        _ run: QueuedRun,
        status: HTTPResponse.Status = .ok,
        location: String? = nil
    ) -> Response {
        var json = JSONText()
        json.object(isLine: true) { $0.members(of: run) }
        var response = Answer.unkept(json.text)
        response.status = status
        if let location { response.headers[.location] = location }
        return response
    }

    private static func isKey(_ key: String) -> Bool {
        (1...64).contains(key.utf8.count) && key.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

extension HTTPField.Name {
    /// `Idempotency-Key`.
    static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("idempotency-key") else {
            preconditionFailure("letters and a hyphen name a field")
        }
        return name
    }()
}
