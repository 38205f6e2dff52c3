import TripDomain
import TripEngine
import TripText

extension PartitionReport {
    /// The report as a line of JSON, without the cells, which stand beside it.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("report", Self.form)
            json.value("plan", plan)
            json.value("files", files)
            json.value("part", part)
            json.value("parts", partCount)
            json.value("rows", Int(rows))
            json.value("left_out", Int(leftOut))
            json.array("accounts") { json in
                for account in accounts { account.write(&json) }
            }
            json.pairs("shared_ids", sharedIDs)
            json.pairs("replacements", replacements)
            json.optionalObject("first_repetition", firstRepetition) { $0.write(&$1) }
            json.optional("last_pickup_within", lastPickupWithin)
            json.object("cells") { json in
                json.value("count", cellCount)
                json.value("hash", cellsHash)
            }
            json.object("sums") { sums.write(&$0, hasCells: false) }
            json.array("overridden") { json in
                for trip in overridden { trip.write(&json) }
            }
            json.array("known_rejects") { json in
                for reject in knownRejects {
                    json.object { json in
                        json.value("file", reject.file)
                        json.value("reject", reject.index)
                        json.value("is_correction", reject.isCorrection)
                    }
                }
            }
        }
        return json.text
    }

    /// Reads a report; its cells are none yet.
    ///
    /// - Parameter text: The JSON, as ``text`` writes it.
    /// - Throws: ``JSONFault`` where it is none.
    init(_ text: [UInt8]) throws(JSONFault) {
        let json = try JSONObject(text)
        try json.requireForm("report", Self.form)
        self.init(plan: try json.text("plan"), files: try json.text("files"))
        part = try json.count("part")
        partCount = try json.count("parts")
        rows = try json.quantity("rows")
        leftOut = try json.quantity("left_out")
        accounts = try json.objects("accounts") { account throws(JSONFault) in
            try Account(account)
        }
        sharedIDs = try json.filePairs("shared_ids")
        replacements = try json.filePairs("replacements")
        firstRepetition = try json.optionalObject("first_repetition")
            .map { pair throws(JSONFault) in try Pair(pair) }
        lastPickupWithin = try json.optionalInteger("last_pickup_within")
        let cells = try json.object("cells")
        cellCount = try cells.count("count")
        cellsHash = try cells.hash("hash")
        sums = try FinestSums(try json.object("sums"), hasCells: false)
        overridden = try json.objects("overridden") { trip throws(JSONFault) in
            try OverriddenTrip(trip)
        }
        knownRejects = try json.objects("known_rejects") { reject throws(JSONFault) in
            KnownReject(
                file: try reject.count("file"),
                index: try reject.count("reject"),
                isCorrection: try reject.truth("is_correction")
            )
        }
    }
}

extension PartitionReport.Place {
    fileprivate func write(_ json: inout JSONText) {
        json.value("file", file)
        json.value("record", record)
        json.value("line", line)
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        file = try json.count("file")
        record = try json.count("record")
        line = try json.count("line")
    }
}

extension PartitionReport.Pair {
    fileprivate func write(_ json: inout JSONText) {
        json.object("earlier") { earlier.write(&$0) }
        json.object("later") { later.write(&$0) }
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        earlier = try PartitionReport.Place(try json.object("earlier"))
        later = try PartitionReport.Place(try json.object("later"))
    }
}

extension PartitionReport.Account {
    fileprivate func write(_ json: inout JSONText) {
        json.object { json in
            json.value("file", file)
            json.amount("accepted", accepted)
            json.amount("superseded", superseded)
            json.amount("duplicate", duplicate)
            json.value("ids", Int(ids))
            json.value("replaced_within", Int(replacedWithin))
            json.optionalObject("first_within", firstWithin) { $0.write(&$1) }
        }
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        file = try json.count("file")
        accepted = try json.amount("accepted")
        superseded = try json.amount("superseded")
        duplicate = try json.amount("duplicate")
        ids = try json.quantity("ids")
        replacedWithin = try json.quantity("replaced_within")
        firstWithin = try json.optionalObject("first_within")
            .map { pair throws(JSONFault) in try PartitionReport.Pair(pair) }
    }
}

extension PartitionReport.OverriddenTrip {
    fileprivate func write(_ json: inout JSONText) {
        json.object { json in
            json.value("override", override)
            json.value("ref", ref)
            place.write(&json)
            json.optionalObject("cell", cell) { $0.writeMembers(&$1) }
        }
    }

    fileprivate init(_ json: JSONObject) throws(JSONFault) {
        override = try json.count("override")
        ref = try json.text("ref")
        place = try PartitionReport.Place(json)
        cell = try json.optionalObject("cell")
            .map { cell throws(JSONFault) in try FinestCell(cell) }
    }
}

extension JSONText {
    fileprivate mutating func pairs(_ name: JSONName, _ pairs: [PartitionReport.FilePair]) {
        array(name) { json in
            for pair in pairs {
                json.object { json in
                    json.value("earlier", pair.earlier)
                    json.value("later", pair.later)
                    json.value("count", Int(pair.count))
                }
            }
        }
    }
}

extension JSONObject {
    fileprivate func filePairs(
        _ name: String
    ) throws(JSONFault) -> [PartitionReport.FilePair] {
        try objects(name) { pair throws(JSONFault) in
            PartitionReport.FilePair(
                earlier: try pair.count("earlier"),
                later: try pair.count("later"),
                count: try pair.quantity("count")
            )
        }
    }
}
