import TripDomain
import TripMart

extension JSONText {
    /// The members of a request and what became of it.
    mutating func members(of run: QueuedRun) {
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

    /// The members of a run that is listed.
    mutating func members(of run: RunRecord) {
        value("number", run.number)
        // What follows the words are folders, which are nobody's matter who is not on the machine.
        value("command", Self.word(of: run.command))
        value("started_at", Self.time(listed: run.startedAt))
        text("ended_at", run.endedAt.map(Self.time(listed:)))
        value("outcome", run.outcome)
        count("exit_code", run.exitCode.map { Int64($0) })
        count("generation", run.generation.map { Int64($0) })
    }

    private static func word(of command: String) -> String {
        let known = ["run", "reclassify", "rollback", "runs work"]
        return known.filter { command == $0 || command.hasPrefix($0 + " ") }.last ?? "other"
    }

    private static func time(_ seconds: Int64) -> String {
        time(listed: CivilTime.text(ofSeconds: seconds) + "Z")
    }

    /// `2026-11-20 02:14:07Z` as RFC 3339 has it.
    private static func time(listed text: String) -> String {
        text.split(separator: " ").joined(separator: "T")
    }
}
