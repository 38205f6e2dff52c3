import TripDomain
import TripEngine
import TripText

/// Which files of a plan are in force, decided from the reports of all of them.
///
/// A file that is refused leaves the one before it in force, so that this is known only when every
/// file was read. `triptych shard files` writes it; `resolve` leaves out the versions of files that
/// are not in force.
struct ShardFiles: Sendable, Hashable {
    static let form = "triptych shard files 2"

    /// A file that is not taken in.
    struct Refusal: Sendable, Hashable {
        /// Why.
        enum Kind: String, Sendable, CaseIterable {
            /// It cannot be read, or fits no layout.
            case unreadable
            /// It was written to while it was read: it waits for the next plan.
            case changed
            /// Its trips do not belong in this mart.
            case otherKind = "other_kind"
            /// It brings nothing, or far less than it replaces.
            case smaller
        }

        /// Its index in the plan.
        let file: Int
        let kind: Kind
        /// Why, as `run` says it.
        let reason: String
        /// What the operator should do.
        let remedy: String
    }

    /// The hash of the plan.
    var plan: String
    /// Per file of the plan, whether its records are in force.
    var areInForce: [Bool]
    /// The files that are not taken in; all others that are not in force are withdrawn.
    var refusals: [Refusal] = []
    /// Files that are taken in although they bring far less than they replace, with a clause each.
    var acceptedSmaller: [AcceptedFile] = []
    /// Files in force of the served generation that this run neither takes in nor replaces.
    var gone: [GoneFile] = []
    /// Whether the trips are generated.
    var isSynthetic = false
    /// The last day on which a file was taken in, of those that are not refused.
    var lastDay: CivilDate?
    /// SHA-256 of all of it: what the reports of `resolve` are bound to.
    var hash = ""

    /// A file that the operator accepts as it is.
    struct AcceptedFile: Sendable, Hashable {
        /// Its index in the plan.
        let file: Int
        /// What it does, as `run` says it.
        let clause: String
    }

    /// A file whose trips would be in force no more.
    struct GoneFile: Sendable, Hashable {
        /// The name of its source, and its path.
        let source: String
        let path: String
        /// What would be lost with it.
        let clause: String
        /// Whether the operator accepts that.
        let isAccepted: Bool
    }
}

extension ShardFiles {
    /// The decision as JSON.
    var text: [UInt8] { written(withHash: true) }

    /// The same with its own hash.
    func hashed() -> ShardFiles {
        var copy = self
        copy.hash = ContentHash.of(written(withHash: false))
        return copy
    }

    private func written(withHash: Bool) -> [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("files", Self.form)
            json.value("plan", plan)
            json.array("in_force") { json in
                for isInForce in areInForce { json.value(nil, isInForce) }
            }
            json.array("refusals") { json in
                for refusal in refusals {
                    json.object { json in
                        json.value("file", refusal.file)
                        json.value("kind", refusal.kind.rawValue)
                        json.value("reason", refusal.reason)
                        json.value("remedy", refusal.remedy)
                    }
                }
            }
            json.array("accepted_smaller") { json in
                for accepted in acceptedSmaller {
                    json.object { json in
                        json.value("file", accepted.file)
                        json.value("clause", accepted.clause)
                    }
                }
            }
            json.array("gone") { json in
                for file in gone {
                    json.object { json in
                        json.value("source", file.source)
                        json.value("path", file.path)
                        json.value("clause", file.clause)
                        json.value("is_accepted", file.isAccepted)
                    }
                }
            }
            json.value("is_synthetic", isSynthetic)
            json.optional("last_day", lastDay?.text)
            if withHash { json.value("hash", hash) }
        }
        return json.text
    }

    /// Reads a decision.
    ///
    /// - Parameter text: The JSON, as ``text`` writes it.
    /// - Throws: ``JSONFault`` where it is none, or where it was changed since it was written.
    init(_ text: [UInt8]) throws(JSONFault) {
        let json = try JSONObject(text)
        try json.requireForm("files", Self.form)
        var areInForce: [Bool] = []
        for value in try json.list("in_force") {
            guard case .truth(let isInForce) = value else {
                throw json.fault("in_force", "holds something else than truths")
            }
            areInForce.append(isInForce)
        }
        self.init(plan: try json.text("plan"), areInForce: areInForce)
        refusals = try json.objects("refusals") { refusal throws(JSONFault) in
            Refusal(
                file: try refusal.count("file"),
                kind: try refusal.word("kind", Refusal.Kind.self),
                reason: try refusal.text("reason"),
                remedy: try refusal.text("remedy")
            )
        }
        acceptedSmaller = try json.objects("accepted_smaller") { accepted throws(JSONFault) in
            AcceptedFile(file: try accepted.count("file"), clause: try accepted.text("clause"))
        }
        gone = try json.objects("gone") { file throws(JSONFault) in
            GoneFile(
                source: try file.text("source"),
                path: try file.text("path"),
                clause: try file.text("clause"),
                isAccepted: try file.truth("is_accepted")
            )
        }
        isSynthetic = try json.truth("is_synthetic")
        lastDay = try json.optionalDay("last_day")
        hash = try json.text("hash")
        guard hashed().hash == hash else {
            throw json.fault("hash", "is not that of the decision, which was changed")
        }
    }
}
