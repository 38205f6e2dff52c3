import TripDomain
import TripEngine
import TripText

extension FileReport {
    /// The report as a line of JSON.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("report", Self.form)
            json.value("plan", plan)
            json.value("file", file)
            json.optionalObject("refusal", refusal) { refusal, json in
                json.value("code", refusal.code)
                json.value("reason", refusal.reason)
                json.value("remedy", refusal.remedy)
                json.value("is_changed", refusal.isChanged)
            }
            json.value("is_misjudged", isMisjudged)
            json.value("archive_hash", archiveHash)
            json.value("content_hash", contentHash)
            json.value("archive_size", Int(archiveSize))
            json.value("expanded_size", Int(expandedSize))
            json.value("ends_in_line_break", endsInLineBreak)
            json.value("layout", layout)
            json.value("records", Int(records))
            json.value("rejects", Int(rejects))
            json.value("listed_rejects", Int(listedRejects))
            json.value("lines", Int(lines))
            json.value("blank_lines", Int(blankLines))
            json.amount("read", read)
            json.amount("rejected", rejected)
            json.value("repeated", Int(repeated))
            json.amount("valid", valid)
            json.value("unitless", Int(unitless))
            json.value("counted_trips", Int(countedTrips))
            writeFindings(&json)
        }
        return json.text
    }

    private func writeFindings(_ json: inout JSONText) {
        func write(_ name: JSONName, _ origins: Origins, _ json: inout JSONText) {
            json.object(name) { json in
                json.value("generated", origins.generated)
                json.value("real", origins.real)
            }
        }
        write("trip_origins", tripOrigins, &json)
        write("reject_origins", rejectOrigins, &json)
        json.array("lookups") { json in
            for lookup in lookups {
                json.object { json in
                    json.value("name", lookup.name)
                    json.value("keyed", Int(lookup.keyed))
                    json.value("unmatched", Int(lookup.unmatched))
                }
            }
        }
        json.value("regions_known", Int(regionsKnown))
        json.value("regions_different", Int(regionsDifferent))
        json.value("overflows", Int(overflows))
        json.array("repetitions") { json in
            for unit in repetitions {
                json.object { json in
                    json.value("ref", unit.ref)
                    json.value("record", unit.record)
                    json.value("line", unit.line)
                    json.value("count", unit.count)
                }
            }
        }
        json.optionalObject("sums", sums) { $0.write(&$1, hasCells: true) }
        json.array("last_pickups") { json in
            for pickup in lastPickups {
                json.object { json in
                    json.value("day", pickup.day.text)
                    json.optional("seconds", pickup.seconds)
                }
            }
        }
    }

    /// Reads a report.
    ///
    /// - Parameter text: The JSON, as ``text`` writes it.
    /// - Throws: ``JSONFault`` where it is none.
    init(_ text: [UInt8]) throws(JSONFault) {
        let json = try JSONObject(text)
        try json.requireForm("report", Self.form)
        self.init(plan: try json.text("plan"), file: try json.count("file"))
        if let found = try json.optionalObject("refusal") {
            refusal = Refusal(
                code: try found.text("code"),
                reason: try found.text("reason"),
                remedy: try found.text("remedy"),
                isChanged: try found.truth("is_changed")
            )
        }
        isMisjudged = try json.truth("is_misjudged")
        // Of a file that is refused, nothing else is known.
        guard refusal == nil else { return }
        archiveHash = try json.hash("archive_hash")
        contentHash = try json.hash("content_hash")
        archiveSize = try json.quantity("archive_size")
        expandedSize = try json.quantity("expanded_size")
        endsInLineBreak = try json.truth("ends_in_line_break")
        layout = try json.text("layout")
        records = try json.quantity("records")
        rejects = try json.quantity("rejects")
        listedRejects = try json.quantity("listed_rejects")
        lines = try json.quantity("lines")
        blankLines = try json.quantity("blank_lines")
        read = try json.amount("read")
        rejected = try json.amount("rejected")
        repeated = try json.quantity("repeated")
        valid = try json.amount("valid")
        unitless = try json.quantity("unitless")
        countedTrips = try json.quantity("counted_trips")
        try readFindings(json)
    }

    private mutating func readFindings(_ json: JSONObject) throws(JSONFault) {
        func origins(_ name: String) throws(JSONFault) -> Origins {
            let found = try json.object(name)
            return Origins(
                generated: Int(try found.quantity("generated")),
                real: Int(try found.quantity("real"))
            )
        }
        tripOrigins = try origins("trip_origins")
        rejectOrigins = try origins("reject_origins")
        lookups = try json.objects("lookups") { lookup throws(JSONFault) in
            Lookup(
                name: try lookup.text("name"),
                keyed: try lookup.quantity("keyed"),
                unmatched: try lookup.quantity("unmatched")
            )
        }
        regionsKnown = try json.quantity("regions_known")
        regionsDifferent = try json.quantity("regions_different")
        overflows = try json.quantity("overflows")
        repetitions = try json.objects("repetitions") { unit throws(JSONFault) in
            Repetition(
                ref: try unit.text("ref"),
                record: try unit.count("record"),
                line: try unit.count("line"),
                count: Int(try unit.quantity("count"))
            )
        }
        sums = try json.optionalObject("sums").map { found throws(JSONFault) in
            try FinestSums(found, hasCells: true)
        }
        lastPickups = try json.objects("last_pickups") { pickup throws(JSONFault) in
            LastPickup(
                day: try pickup.day("day"),
                seconds: try pickup.optionalInteger("seconds")
            )
        }
    }
}

extension ShardReject {
    /// The reject as a line of JSON.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("file", reject.fileIndex)
            json.value("reject", index)
            json.value("record", reject.recordNumber)
            json.value("line", reject.lineNumber)
            json.value("offset", reject.byteOffset)
            json.value("size", reject.byteSize)
            json.value("items", reject.itemCount)
            json.optional("field", reject.field)
            json.value("reason", reject.reason.rawValue)
            json.optional("cents", reject.amountCents)
            json.value("is_unpriced", reject.isUnpriced)
            json.optional("ref", ref)
            json.value("sealed", HexText.text(sealed))
        }
        return json.text
    }

    /// Reads a line.
    ///
    /// - Parameter text: The JSON, as ``text`` writes it.
    /// - Throws: ``JSONFault`` where it is none.
    init(_ text: [UInt8]) throws(JSONFault) {
        let json = try JSONObject(text)
        reject = Reject(
            fileIndex: try json.count("file"),
            recordNumber: try json.count("record"),
            lineNumber: try json.count("line"),
            byteOffset: try json.count("offset"),
            byteSize: try json.count("size"),
            itemCount: Int(try json.quantity("items")),
            field: try json.optionalText("field"),
            reason: try json.word("reason", RejectReason.self),
            amountCents: json["cents"] == nil ? nil : try json.sum("cents"),
            isUnpriced: try json.truth("is_unpriced"),
            tripID: nil
        )
        index = try json.count("reject")
        ref = try json.optionalText("ref")
        guard let bytes = HexText.bytes(try json.text("sealed")) else {
            throw json.fault("sealed", "is no hexadecimal text")
        }
        sealed = bytes
    }
}
