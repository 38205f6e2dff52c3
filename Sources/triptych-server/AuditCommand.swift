import ArgumentParser
import TripIdentity
import TripText

/// `triptych-server audit`: the access record.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check and read the access record: which account did and saw what.",
        discussion: """
            Examples:
              triptych-server audit verify
              triptych-server audit report --since 2026-11-01 --account fleet-office
            """,
        subcommands: [Verify.self, Report.self, Begin.self]
    )

    /// `triptych-server audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find out whether the record is what was written; ends with 13 where not.",
            discussion: """
                Every entry is sealed with all before it, and the end with a head beside the file: an entry that was \
                edited, taken out, added or moved is found. It prints the position of the last entry; note it elsewhere, \
                and with --noted a later check also finds that an older record was put back.

                Examples:
                  triptych-server audit verify
                """
        )

        @OptionGroup var locations: LocationOptions

        @Option(help: "A position that an earlier check printed, NUMBER:SEAL, exactly.")
        var noted: String?

        func validate() throws {
            guard let noted, !Self.isPosition(noted) else { return }
            throw ValidationError(
                "'\(noted)' is not a position, NUMBER:SEAL, whose seal has 43 characters: was it copied whole?"
            )
        }

        /// Whether a text is a position as a check prints it.
        private static func isPosition(_ text: String) -> Bool {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Int(parts[0]), number >= 0 else { return false }
            // Before the first entry there is no seal.
            if number == 0 { return parts[1] == "-" }
            return parts[1].utf8.count == 43
                && parts[1].allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
                }
        }

        func run() async throws {
            try await CommandFailure.reporting {
                let reading = try await locations.authentication().record.read(noted: noted)
                if let finding = reading.finding {
                    try CommandFailure.end(
                        "the access record is not what was written: \(finding) "
                            + "The \(reading.entries.count) entries before it are. "
                            + "See what is left: triptych-server audit report",
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
            usage:
                "triptych-server audit report [--since <since>] [--until <until>] [<options>]",
            discussion: """
                Accounts are given by name where there is one of the number.

                Examples:
                  triptych-server audit report --since 2026-11-01
                  triptych-server audit report --account fleet-office
                """
        )

        @OptionGroup var locations: LocationOptions

        @Option(help: "The first day, YYYY-MM-DD, in UTC. (default: all)")
        var since: String?

        @Option(help: "The last day, YYYY-MM-DD, in UTC. (default: all)")
        var until: String?

        @Option(help: "The account that did it, or that it was done to.")
        var account: String?

        @Option(help: "The trip that was seen, as the API names it.")
        var trip: String?

        func validate() throws {
            for day in [since, until].compactMap(\.self) where UTCText.seconds(ofDay: day) == nil {
                throw ValidationError("'\(day)' is not a day: YYYY-MM-DD.")
            }
        }

        func run() async throws {
            try await CommandFailure.reporting {
                let authentication = try await locations.authentication()
                let asked = try account.map { text throws(IdentityFault) in try AccountName(text) }
                let reading = try authentication.record.read()
                let accounts = try await authentication.accounts()
                if let asked, !accounts.contains(where: { $0.name == asked }) {
                    throw IdentityFault.noSuchAccount(asked.text)
                }
                // Of a damaged file, two may have one number.
                let names = Dictionary(accounts.map { ($0.id, $0.name.text) }) { first, _ in first }
                let filter = isAsked(names, asked?.text)
                Self.show(reading.entries.filter(filter), names)
                if let finding = reading.finding {
                    let later = reading.later.filter(filter)
                    if !later.isEmpty {
                        Output.line("")
                        Output.line("After the fault; entries may be missing here:")
                        Self.show(later, names)
                    }
                    try CommandFailure.end(
                        "the access record is not what was written: \(finding)",
                        status: 13
                    )
                }
            }
        }

        private static func show(_ entries: [AccessEntry], _ names: [Int64: String]) {
            let rows = entries.map { entry in
                [
                    UTCText.text(entry.at), entry.event.rawValue,
                    entry.account.map { names[$0] ?? "\($0)" } ?? "",
                    entry.subject ?? "", entry.detail ?? "", entry.reason?.rawValue ?? "",
                ]
            }
            let head = ["Time (UTC)", "Event", "By", "To", "What", "Why"]
            for line in TextTable.lines([head] + rows) { Output.line(line) }
        }

        private func isAsked(
            _ names: [Int64: String],
            _ account: String?
        ) -> (AccessEntry) -> Bool {
            let first = since.flatMap(UTCText.seconds(ofDay:)) ?? .min
            let end = until.flatMap(UTCText.seconds(ofDay:)).map { $0 + 24 * 3600 } ?? .max
            return { entry in
                entry.at >= first && entry.at < end && (trip == nil || entry.subject == trip)
                    && (account == nil || entry.account.flatMap { names[$0] } == account
                        || entry.subject == account)
            }
        }
    }

    /// `triptych-server audit begin`.
    struct Begin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begin a new record where the present one was damaged.",
            discussion: """
                The damaged one is set aside as it is, in the same folder; the first entry of the new one names the \
                last position of the old. Find out first which accounts could write there. Where the record is as it was written, \
                nothing is done: it ends with 65.

                Examples:
                  triptych-server audit begin
                """
        )

        @OptionGroup var locations: LocationOptions

        func run() async throws {
            try await CommandFailure.reporting {
                guard let setAside = try await locations.authentication().replaceDamagedRecord()
                else {
                    try CommandFailure.end(
                        "the access record is as it was written: there is nothing to set aside.",
                        status: 65
                    )
                }
                Output.line("The record before is set aside as \(setAside); a new one has begun.")
            }
        }
    }
}
