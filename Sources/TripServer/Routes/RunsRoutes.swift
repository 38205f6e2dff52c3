import HTTPTypes
import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `/runs`, `/runs/{id}` and `/runs/{id}/cancel`: runs that ended, runs that are requested, and
/// their progress.
///
/// The server carries nothing out: it puts a request into the mart's queue, where `triptych runs
/// work` finds it.
struct RunsRoutes {
    let state: ServerState
    let queue: RunQueue
    let folder: MartFolder
    /// The access record; nil where no account signs in.
    let record: AccessRecord?
    /// Whether this server starts a worker itself, and again where it ends.
    let keepsWorker: Bool

    /// For how many milliseconds another process may hold the queue.
    private static let patience = 500
    /// Runs of the list that are shown.
    private static let shownLimit = 50
    /// Requests of it.
    private static let askedLimit = 200

    init(state: ServerState, folder: MartFolder, record: AccessRecord?, keepsWorker: Bool) {
        self.state = state
        self.folder = folder
        self.record = record
        self.keepsWorker = keepsWorker
        // Less than a route has for its files: a process that holds the queue holds up no list of
        // trips.
        queue = RunQueue(folder, patience: Self.patience)
    }

    /// All requested runs, and the last ones that ended.
    func list(_ request: Request, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        _ = try QueryReading(request, known: [])
        let (queue, folder) = (queue, folder)
        let (asked, ran) = try await state.onDisk {
            (
                try queue.all(),
                try RunLog.openIfPresent(folder)?.list(limit: Self.shownLimit) ?? []
            )
        }
        let table = Self.table(of: ran)
        let format = AnswerFormat(request)
        if format == .csv { return Answer.unkept(table.csv(), as: format) }
        let wait = await wait(for: asked.prefix(Self.askedLimit))
        var json = JSONText()
        json.object { json in
            json.array("requests") { json in
                for run in asked.prefix(Self.askedLimit) {
                    json.object(isLine: true) { $0.members(of: run, wait) }
                }
            }
            json.list("runs", table)
        }
        return Answer.unkept(json.text)
    }

    private static func table(of runs: [RunRecord]) -> AnswerTable {
        AnswerTable(
            names: [
                "number", "command", "started_at", "ended_at", "outcome", "exit_code",
                "generation",
            ],
            rows: runs.map { run in
                [
                    .number(.integer(Int64(run.number))),
                    // The folders that follow are of no use to a caller on another machine.
                    .text(word(of: run.command)), .text(JSONText.time(listed: run.startedAt)),
                    .text(run.endedAt.map(JSONText.time(listed:))), .text(run.outcome),
                    .number(.integer(run.exitCode.map { Int64($0) })),
                    .number(.integer(run.generation.map { Int64($0) })),
                ]
            }
        )
    }

    private static func word(of command: String) -> String {
        let known = ["run", "reclassify", "rollback", "import-cube", "runs work"]
        return known.filter { command == $0 || command.hasPrefix($0 + " ") }.last ?? "other"
    }

    /// One request and how far it is.
    func one(_ request: Request, _ id: String, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        _ = try QueryReading(request, known: [])
        let queue = queue
        let found = try await state.onDisk { try queue.run(id) }
        guard let found else { throw Problem.noSuchRun }
        return await answer(found)
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
        let known: Set = ["plan"]
        guard known.isSuperset(of: form.fields.keys) else {
            throw Problem.unknownParameter(among: form.fields.keys, known: known)
        }
        let plan = form.fields["plan"]
        guard plan.map(RunRequest.isPlan) ?? true else {
            throw Problem.parameter("plan", "A plan is named by its eight digits.")
        }
        let account = caller.session?.account
        let id = RunQueue.id(of: key, by: account?.id ?? 0)
        let wanted = RunRequest(at: state.now(), by: account?.name.text ?? "unknown", plan: plan)
        let queue = queue
        do {
            let known = try await state.onDisk { try queue.run(id) }
            // What was asked for before is on record.
            if known == nil {
                // Where nothing is served yet, the run says so.
                if let generation = try? state.served() { try state.requireTrips(generation) }
                try await note(.runRequested, id, caller)
            }
            let run = try await state.onDisk { try queue.add(id, wanted) }
            guard run.request.plan == plan else { throw Problem.idempotencyKeyReused }
            return await answer(run, status: .accepted, location: RouteTable.runs + "/" + id)
        } catch RunQueue.Refusal.full {
            try await note(.changeRefused, id, caller, detail: .runRequested)
            throw Problem.queueFull
        }
    }

    /// Calls a run off that does not write yet.
    func cancel(_ request: Request, _ id: String, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        // No body is read here.
        guard !request.hasBody else { throw Problem.badRequest }
        _ = try QueryReading(request, known: [])
        let (queue, now) = (queue, state.now())
        let known = try await state.onDisk { try queue.run(id) }
        guard let known else { throw Problem.noSuchRun }
        if case .ended = known.state { return await answer(known) }
        if known.isWriting { throw Problem.tooLateToCancel }
        // Before it is done: what cannot be recorded is not done.
        try await note(.runCancelled, id, caller)
        let outcome = try await state.onDisk {
            try queue.cancel(id, now: now)
        }
        switch outcome {
        case .accepted(let run): return await answer(run)
        case .over(let run):
            try await note(.changeRefused, id, caller, detail: .runCancelled)
            return await answer(run)
        case .unknown, .tooLate:
            try await note(.changeRefused, id, caller, detail: .runCancelled)
            if case .unknown = outcome { throw Problem.noSuchRun }
            throw Problem.tooLateToCancel
        }
    }

    /// A publication concerns all regions: a caller who sees some alone does not decide on it.
    func mayRun(_ caller: Caller) throws(Problem) {
        try caller.require(.runs)
        // The demo, whose accounts are public, changes nothing of a mart that it does not show.
        if state.servesGeneratedTripsOnly { _ = try state.served() }
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
            at: state.now(),
            account: account,
            subject: id,
            detail: detail?.rawValue
        )
        _ = try await record.add(entry)
    }

    /// What runs wait for that wait now.
    ///
    /// - Parameter runs: The runs that are shown.
    /// - Returns: nil where none of them waits, or it cannot be told.
    private func wait(for runs: some Sequence<QueuedRun>) async -> RunWait? {
        guard runs.contains(where: { $0.state == .waiting }) else { return nil }
        let queue = queue
        // Where another process holds the queue, the run is shown without it.
        guard let hasWorker = try? await state.onDisk({ try queue.hasWorker() }) else { return nil }
        return hasWorker ? .turn : .worker(isKept: keepsWorker)
    }

    private func answer(
        _ run: QueuedRun,
        status: HTTPResponse.Status = .ok,
        location: String? = nil
    ) async -> Response {
        let wait = await wait(for: [run])
        var json = JSONText()
        json.object(isLine: true) { $0.members(of: run, wait) }
        var response = Answer.unkept(json.text)
        response.status = status
        if let location { response.headers[.location] = location }
        return response
    }

    private static func isKey(_ key: String) -> Bool {
        (1...64).contains(key.utf8.count) && key.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

/// What a requested run waits for.
enum RunWait: Equatable {
    /// A worker is there; earlier runs, or the nightly one, come first.
    case turn
    /// No process carries requests out; this server may start one again.
    case worker(isKept: Bool)

    /// Its word in answers.
    var word: String {
        switch self {
        case .turn: "turn"
        case .worker: "worker"
        }
    }

    /// What the caller can do about it; nil where there is nothing to do.
    var hint: String? {
        switch self {
        case .turn: nil
        case .worker(isKept: true):
            "No worker takes requests at this moment. The server starts one again within seconds; "
                + "where it stays so, the server's log says why."
        case .worker(isKept: false):
            "No worker takes requests at this moment. Where systemd has triptych-runs.path, one "
                + "begins within seconds; else ask the operator to start: "
                + "triptych runs work PIPELINE"
        }
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

extension JSONText {
    /// The members of a request and what became of it.
    ///
    /// - Parameters:
    ///   - run: The request.
    ///   - wait: What waiting requests wait for; nil where that is not known.
    mutating func members(of run: QueuedRun, _ wait: RunWait?) {
        value("id", run.id)
        text("plan", run.request.plan)
        value("requested_by", run.request.by)
        value("requested_at", Self.time(run.request.at))
        switch run.state {
        case .waiting:
            value("state", "waiting")
            rest(since: nil, stage: nil, ending: nil)
        case .running(let since, let stage):
            value("state", run.isToBeCancelled ? "cancelling" : "running")
            rest(since: since, stage: stage, ending: nil)
        case .ended(let ending):
            value("state", ending.outcome.rawValue)
            rest(since: nil, stage: nil, ending: ending)
        }
        let wait = run.state == .waiting ? wait : nil
        text("waiting_for", wait?.word)
        text("hint", wait?.hint)
    }

    private mutating func rest(since: Int64?, stage: RunStage?, ending: RunEnding?) {
        text("running_since", since.map(Self.time))
        if let stage {
            object("stage", isLine: true) { json in
                json.value("name", stage.name)
                json.count("done", stage.done)
                json.count("total", stage.total == 0 ? nil : stage.total)
            }
        } else {
            null("stage")
        }
        text("ended_at", ending.map { Self.time($0.at) })
        count("run", ending?.run.map { Int64($0) })
        count("exit_code", ending?.exitCode.map { Int64($0) })
        count("generation", ending?.generation.map { Int64($0) })
        text("summary", ending?.summary)
    }

    private static func time(_ seconds: Int64) -> String {
        time(listed: CivilTime.text(ofSeconds: seconds) + "Z")
    }

    /// `2026-11-20 02:14:07Z` as RFC 3339 has it.
    static func time(listed text: String) -> String {
        text.split(separator: " ").joined(separator: "T")
    }
}
