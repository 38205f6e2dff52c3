import TripDomain
import TripEngine
import TripText

extension ShardPlan {
    /// The plan as JSON, a member on each line.
    var text: [UInt8] { written(withHash: true) }

    /// The same plan with its own hash.
    func hashed() -> ShardPlan {
        var copy = self
        copy.hash = ContentHash.of(written(withHash: false))
        return copy
    }

    private func written(withHash: Bool) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.value("plan", Self.form)
            json.value("program", program)
            json.value("pipeline", pipeline)
            json.value("now", Int(now))
            json.value("today", today.text)
            json.value("key_check", keyCheck)
            json.optionalObject("served", served) { served, json in
                json.value("generation", served.generation)
                json.value("hash", served.hash)
                json.value("is_synthetic", served.isSynthetic)
                json.lines("files", served.files) { $0.write(&$1) }
            }
            json.value("compares_versions", comparesVersions)
            json.lines("overrides", overrides) { $0.write(&$1) }
            json.lines("version_columns", versionColumns) { $0.write(&$1) }
            json.lines("trip_columns", tripColumns) { $0.write(&$1) }
            json.lines("files", files) { $0.write(&$1) }
            json.lines("refusals", refusals) { $0.write(&$1) }
            json.lines("unread", unread) { entry, json in
                json.value("path", entry.path)
                json.value("fate", entry.fate.rawValue)
                json.value("reason", entry.reason)
                json.value("is_in_doubt", entry.isInDoubt)
            }
            json.texts("unclaimed", unclaimed)
            json.texts("skipped", skipped)
            json.texts("accepted_smaller", acceptedSmaller)
            json.lines("inputs", inputs) { input, json in
                json.value("role", input.role.rawValue)
                json.value("path", input.path)
                // A reference file may be of another encoding.
                if let text = String(validating: input.content, as: UTF8.self) {
                    json.value("text", text)
                } else {
                    json.value("hex", HexText.text(input.content))
                }
            }
            if withHash { json.value("hash", hash) }
        }
        return json.text
    }

    /// Reads a plan.
    ///
    /// - Parameter text: The JSON, as ``text`` writes it.
    /// - Throws: ``JSONFault`` where it is none, or where it was changed since it was written.
    init(_ text: [UInt8]) throws(JSONFault) {
        let json = try JSONObject(text)
        try json.requireForm("plan", Self.form)
        self.init(
            program: try json.text("program"),
            pipeline: try json.text("pipeline"),
            now: try json.integer("now"),
            today: try json.day("today"),
            keyCheck: try json.text("key_check"),
            served: try json.optionalObject("served").map { served throws(JSONFault) in
                Served(
                    generation: try served.count("generation"),
                    hash: try served.text("hash"),
                    isSynthetic: try served.truth("is_synthetic"),
                    files: try served.objects("files", ServedFile.init(_:))
                )
            },
            comparesVersions: try json.truth("compares_versions"),
            inputs: try json.objects("inputs", Self.input),
            overrides: try json.objects("overrides", Override.init(_:)),
            versionColumns: try json.objects("version_columns", Column.init(_:)),
            tripColumns: try json.objects("trip_columns", Column.init(_:)),
            files: try json.objects("files", File.init(_:)),
            refusals: try json.objects("refusals", Refusal.init(_:)),
            unread: try json.objects("unread") { entry throws(JSONFault) in
                UnreadEntry(
                    path: try entry.text("path"),
                    fate: try entry.word("fate", UnreadEntry.Fate.self),
                    reason: try entry.text("reason"),
                    isInDoubt: try entry.truth("is_in_doubt")
                )
            },
            unclaimed: try json.texts("unclaimed"),
            skipped: try json.texts("skipped"),
            acceptedSmaller: try json.texts("accepted_smaller")
        )
        hash = try json.text("hash")
        guard hashed().hash == hash else {
            throw json.fault("hash", "is not that of the plan, which was changed")
        }
        for (index, file) in files.enumerated() where file.index != index {
            throw JSONFault(place: "files[\(index)].index", finding: "is not \(index)")
        }
    }

    private static func input(_ json: JSONObject) throws(JSONFault) -> GenerationInput {
        let content: [UInt8]
        if let text = try json.optionalText("text") {
            content = Array(text.utf8)
        } else {
            guard let bytes = HexText.bytes(try json.text("hex")) else {
                throw json.fault("hex", "is no hexadecimal text")
            }
            content = bytes
        }
        return GenerationInput(
            role: try json.word("role", GenerationInput.Role.self),
            path: try json.text("path"),
            hash: ContentHash.of(content),
            content: content
        )
    }
}

extension ShardPlan.File {
    fileprivate func write(_ json: inout JSONText) {
        json.value("index", index)
        json.value("path", path)
        json.value("listed", listed)
        json.value("size", Int(size))
        json.value("source", source)
        json.value("order_key", orderKey)
        json.value("period", period)
        json.value("taken_in", takenIn.text)
        json.optionalObject("known", known) { known, json in
            json.value("content_hash", known.contentHash)
            json.optional("taken_in", known.takenIn?.text)
        }
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        index = try json.count("index")
        path = try json.text("path")
        listed = try json.text("listed")
        size = try json.integer("size")
        source = try json.text("source")
        orderKey = try json.text("order_key")
        period = try json.text("period")
        takenIn = try json.day("taken_in")
        known = try json.optionalObject("known").map { known throws(JSONFault) in
            ShardPlan.KnownContent(
                contentHash: try known.text("content_hash"),
                takenIn: try known.optionalDay("taken_in")
            )
        }
    }
}

extension ShardPlan.ServedFile {
    fileprivate func write(_ json: inout JSONText) {
        json.value("source", source)
        json.value("path", path)
        json.value("order_key", orderKey)
        json.value("period", period)
        json.value("content_hash", contentHash)
        json.amount("valid", valid)
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        source = try json.text("source")
        path = try json.text("path")
        orderKey = try json.text("order_key")
        period = try json.text("period")
        contentHash = try json.text("content_hash")
        valid = try json.amount("valid")
    }
}

extension ShardPlan.Refusal {
    fileprivate func write(_ json: inout JSONText) {
        json.value("path", path)
        json.value("source", source)
        json.value("reason", reason)
        json.value("remedy", remedy)
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        path = try json.text("path")
        source = try json.text("source")
        reason = try json.text("reason")
        remedy = try json.text("remedy")
    }
}

extension ShardPlan.Override {
    fileprivate func write(_ json: inout JSONText) {
        json.value("class", tripClass.word)
        json.value("basis", basis)
        json.value("rule", rule)
        json.value("rule_number", ruleNumber)
        json.value("expires", expires.text)
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        let word = try json.text("class")
        guard let tripClass = TripClass.allCases.first(where: { $0.word == word }) else {
            throw json.fault("class", "is an unknown class")
        }
        self.tripClass = tripClass
        basis = try json.text("basis")
        rule = try json.text("rule")
        ruleNumber = try json.count("rule_number")
        expires = try json.day("expires")
    }
}

extension ShardPlan.Column {
    fileprivate func write(_ json: inout JSONText) {
        json.value("name", name)
        json.value("type", type.rawValue)
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        name = try json.text("name")
        type = try json.word("type", FrameType.self)
    }
}

extension JSONText {
    /// An array of objects, each on one line.
    fileprivate mutating func lines<Value>(
        _ name: JSONName,
        _ values: [Value],
        _ write: (Value, inout JSONText) -> Void
    ) {
        array(name) { json in
            for value in values { json.object(isLine: true) { write(value, &$0) } }
        }
    }
}
