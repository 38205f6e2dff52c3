import ArgumentParser
import TripIdentity

/// `triptych-server audit`: who did and saw what.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check and read the record of who did and saw what.",
        subcommands: [Verify.self, Report.self]
    )

    /// `triptych-server audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find out whether the record is what was written; ends with 13 where not.",
            discussion: """
                Every entry is sealed with all before it, and the end with a head beside the file: an entry that was \
                edited, taken out, added or moved is found. It names the last place; note it elsewhere, and with \
                --noted a later check also finds that an older record was put back.
                """
        )

        @OptionGroup var places: PlaceOptions

        @Option(help: "A place that an earlier check named, NUMBER:SEAL.")
        var noted: String?

        func run() async throws {
            try await CommandFailure.reporting {
                let reading = try await places.authority().record.read(noted: noted)
                if let finding = reading.finding {
                    try CommandFailure.end(
                        "the access record is not what was written: \(finding) "
                            + "The \(reading.entries.count) entries before it are.",
                        status: 13
                    )
                }
                Output.line(
                    "\(reading.entries.count) entries, all as they were written; the last is "
                        + reading.last.text
                )
            }
        }
    }

    /// `triptych-server audit report`.
    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show the entries of the record, oldest first; ends with 13 where it was changed.",
            discussion: "Accounts are given by name where there is one of the number."
        )

        @OptionGroup var places: PlaceOptions

        @Option(help: "The first day, YYYY-MM-DD, in UTC. (default: all)")
        var since: String?

        @Option(help: "The last day, YYYY-MM-DD, in UTC. (default: all)")
        var until: String?

        @Option(help: "The account that did it.")
        var account: String?

        @Option(help: "The trip that was seen, as the API names it.")
        var trip: String?

        func validate() throws {
            for day in [since, until].compactMap(\.self) where UTCText.seconds(ofDay: day) == nil {
                throw ValidationError("'\(day)' is no day: YYYY-MM-DD.")
            }
        }

        func run() async throws {
            try await CommandFailure.reporting {
                let authority = try await places.authority()
                let reading = try authority.record.read()
                let names = Dictionary(
                    uniqueKeysWithValues: try await authority.accounts().map {
                        ($0.id, $0.name.text)
                    }
                )
                let rows = reading.entries.filter(isAsked(names)).map { entry in
                    [
                        UTCText.text(entry.at), entry.event.rawValue,
                        entry.account.map { names[$0] ?? "\($0)" } ?? "",
                        entry.subject ?? "", entry.detail ?? "", entry.reason?.rawValue ?? "",
                    ]
                }
                let head = ["Time (UTC)", "Event", "By", "To", "What", "Why"]
                for line in TextTable.lines([head] + rows) { Output.line(line) }
                if let finding = reading.finding {
                    try CommandFailure.end(
                        "the access record is not what was written: \(finding)",
                        status: 13
                    )
                }
            }
        }

        private func isAsked(_ names: [Int64: String]) -> (AccessEntry) -> Bool {
            let first = since.flatMap(UTCText.seconds(ofDay:)) ?? .min
            let end = until.flatMap(UTCText.seconds(ofDay:)).map { $0 + 24 * 3600 } ?? .max
            return { entry in
                entry.at >= first && entry.at < end && (trip == nil || entry.subject == trip)
                    && (account == nil || entry.account.flatMap { names[$0] } == account
                        || entry.subject == account)
            }
        }
    }
}
