/// The text of a file in the queue: a first line with its format, then lines of a name and a value.
struct QueueText {
    private static let first = "triptych request 1"
    private(set) var values: [String: String] = [:]

    init() {}

    /// Reads a file; nil where it has another format or a later version.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
            return nil
        }
        let lines = text.split(separator: "\n")
        guard lines.first == Self.first[...] else { return nil }
        for line in lines.dropFirst() {
            let sides = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, values.updateValue("\(sides[1])", forKey: "\(sides[0])") == nil
            else { return nil }
        }
    }

    var bytes: [UInt8] {
        let lines = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return Array(([Self.first] + lines).joined(separator: "\n").utf8) + [0x0A]
    }

    /// A value; setting one replaces control characters by spaces, so that it cannot start another
    /// line.
    subscript(_ name: String) -> String? {
        get { values[name] }
        set {
            values[name] = newValue.map { value in
                String(
                    String.UnicodeScalarView(value.unicodeScalars.map { $0.value < 32 ? " " : $0 })
                )
            }
        }
    }

    subscript(number name: String) -> Int64? {
        get { values[name].flatMap { Int64($0) } }
        set { self[name] = newValue.map { "\($0)" } }
    }

    /// Seconds of UTC from 1970 to the end of the year 9999: other accounts can write files of the
    /// queue.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// A time; nil also where it is out of range.
    subscript(time name: String) -> Int64? {
        get { self[number: name].flatMap { Self.times.contains($0) ? $0 : nil } }
        set { self[number: name] = newValue }
    }
}

extension QueueText {
    init(_ request: RunRequest) {
        self[time: "at"] = request.at
        self["by"] = request.by
        self["plan"] = request.plan
    }

    var request: RunRequest? {
        let plan = self["plan"]
        guard let at = self[time: "at"], let by = self["by"], plan.map(RunRequest.isPlan) ?? true
        else { return nil }
        return RunRequest(at: at, by: by, plan: plan)
    }

    init(_ stage: RunStage) {
        self["stage"] = stage.name
        self[number: "done"] = stage.done
        self[number: "total"] = stage.total
    }

    var stage: RunStage? {
        guard let name = self["stage"], let done = self[number: "done"],
            let total = self[number: "total"]
        else { return nil }
        return RunStage(name: name, done: done, total: total)
    }

    var ending: RunEnding? {
        get {
            guard let at = self[time: "ended"],
                let outcome = self["outcome"].flatMap(RunEnding.Outcome.init)
            else { return nil }
            return RunEnding(
                at: at,
                outcome: outcome,
                exitCode: self[number: "exit"].map { Int($0) },
                run: self[number: "run"].map { Int($0) },
                generation: self[number: "generation"].map { Int($0) },
                summary: self["summary"] ?? ""
            )
        }
        set {
            self[time: "ended"] = newValue?.at
            self["outcome"] = newValue?.outcome.rawValue
            self[number: "exit"] = newValue?.exitCode.map { Int64($0) }
            self[number: "run"] = newValue?.run.map { Int64($0) }
            self[number: "generation"] = newValue?.generation.map { Int64($0) }
            self["summary"] = newValue?.summary
        }
    }
}
