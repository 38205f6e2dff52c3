import ArgumentParser
import TripDomain
import TripMart
import TripReports
import TripRuns

/// `triptych rejects list|show`.
struct RejectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejects",
        abstract: "Rejected records, and the reason of each.",
        subcommands: [List.self, Show.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rejects counted by reason; with a filter, listed one by one."
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
                let known = RejectReason.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--reason does not know '\(reason)'. Known: \(known).")
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
            try CommandEnding.catching {
                let text =
                    isFiltered
                    ? RejectListScreen(try mart.queries.rejects(filter, limit: limit))
                        .text(format.chosen)
                    : RejectsScreen(try mart.queries.rejectGroups()).text(format.chosen)
                Output.line(text, to: .standardOutput)
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "One reject.")

        @Argument(help: "The reject's number, from `rejects list`.")
        var number: Int

        @Flag(help: "Open the sealed record; it may name a patient.")
        var reveal = false

        @OptionGroup var mart: MartOptions

        func run() throws {
            try CommandEnding.catching {
                let screen = RejectScreen(try mart.queries.reject(number, reveals: reveal))
                Output.line(screen.text, to: .standardOutput)
            }
        }
    }
}
