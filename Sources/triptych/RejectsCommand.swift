import ArgumentParser
import TripDomain
import TripMart
import TripReports
import TripRuns
import TripText

/// `triptych rejects list|show`.
struct RejectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejects",
        abstract: "Rejected records, and the reason of each.",
        discussion: """
            Examples:
              triptych rejects
              triptych rejects list --reason wrong_type
              triptych rejects show 3
            """,
        subcommands: [List.self, Show.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rejects counted by reason; with a filter, listed one by one.",
            discussion: """
                Examples:
                  triptych rejects list
                  triptych rejects list --reason wrong_type --field paid
                  triptych rejects list --file claims_20261103.csv --limit 500
                """
        )

        @Option(help: "A reason such as wrong_type.")
        var reason: String?

        @Option(help: "A field such as paid.")
        var field: String?

        @Option(help: "A file, by its path below the input folder.")
        var file: String?

        @Flag(help: "Only records that would have corrected a known trip.")
        var corrections = false

        @Option(help: "The maximum number of lines.")
        var limit = 50

        @OptionGroup var mart: MartOptions
        @OptionGroup var format: FormatOptions

        func validate() throws {
            try LineLimit.check(limit)
            if let reason, RejectReason(rawValue: reason) == nil {
                let known = RejectReason.allCases.map(\.rawValue)
                throw KnownWords.refusal("--reason", reason, known)
            }
        }

        func run() throws {
            let isFiltered = reason != nil || field != nil || file != nil || corrections
            let filter = RejectFilter(
                reason: reason.flatMap(RejectReason.init(rawValue:)),
                field: field,
                path: file,
                isCorrection: corrections
            )
            try CommandEnding.answering(mart) { queries in
                if isFiltered {
                    let screen = RejectListScreen(try queries.rejects(filter, limit: limit))
                    format.show(screen.text, cut: screen.cut)
                } else {
                    format.show(RejectsScreen(try queries.rejectGroups()).text)
                }
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "One reject.",
            discussion: """
                Examples:
                  triptych rejects show 3
                  triptych rejects show 3 --reveal
                """
        )

        @Argument(help: "The reject's number, from `rejects list`.")
        var number: Int

        @Flag(help: "Open the sealed record; it may name a patient.")
        var reveal = false

        @OptionGroup var mart: MartOptions
        @OptionGroup var shown: ScreenOptions

        func run() throws {
            try CommandEnding.answering(mart) { queries in
                let screen = RejectScreen(try queries.reject(number, reveals: reveal))
                shown.show(screen.text)
            }
        }
    }
}
