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
              triptych rejects show 3 --value
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
                --value shows the text that is at fault, and nothing else of the record; the list \
                of runs keeps who asked for which line, without the text. Of a run that published \
                nothing, name the file and the line that it printed: the file is read again up to \
                that line, with the pipeline as it is.

                Examples:
                  triptych rejects show 3
                  triptych rejects show 3 --value
                  triptych rejects show 3 --reveal
                  triptych rejects show --value --file a.csv --line 17 --pipeline pipelines/mine
                """
        )

        @Argument(help: "The reject's number, from `rejects list`.")
        var number: Int?

        @Flag(help: "Open the sealed record; it may name a patient.")
        var reveal = false

        @Flag(help: "Show the one text that is at fault; it may name a patient.")
        var value = false

        @Option(help: "Of a run that published nothing: the file, by its path below --input.")
        var file: String?

        @Option(help: "The line on which the record begins.")
        var line: Int?

        @Option(help: "The field, where several of the record failed.")
        var field: String?

        @Option(help: "The pipeline folder that reads the file.")
        var pipeline: String?

        @OptionGroup var input: InputOptions
        @OptionGroup var mart: MartOptions
        @OptionGroup var work: WorkOptions
        @OptionGroup var shown: ScreenOptions

        func validate() throws {
            guard number == nil else {
                guard file == nil, line == nil, field == nil, pipeline == nil, input.input == nil
                else {
                    throw ValidationError(
                        "--file, --line, --field, --pipeline and --input name a record instead of "
                            + "a number; give one or the other."
                    )
                }
                guard !reveal || !value else {
                    throw ValidationError("--reveal shows the record, --value one text; give one.")
                }
                return
            }
            guard file != nil, line != nil, pipeline != nil else {
                throw ValidationError(
                    "Give the number of a reject; or, of a run that published nothing, --value "
                        + "--file FILE --line LINE --pipeline PIPELINE."
                )
            }
            guard value, !reveal else {
                throw ValidationError(
                    "Of a record that is named by its line, --value shows the text; nothing else "
                        + "is kept."
                )
            }
        }

        func run() throws {
            try CommandEnding.answering(mart) { queries in
                if let number, !value {
                    let screen = RejectScreen(try queries.reject(number, reveals: reveal))
                    shown.show(screen.text)
                    return
                }
                let access = ValueAccess(account: AuthorOptions.account, now: work.nowSeconds)
                let value =
                    try number.map { try queries.rejectedValue($0, access) }
                    ?? ofLine(queries, access)
                shown.show(RevealedValueScreen(value).text)
            }
        }

        /// The text of a record that is named by its line.
        private func ofLine(
            _ queries: MartQueries,
            _ access: ValueAccess
        ) throws -> RevealedValue {
            guard let file, let line, let pipeline else {
                preconditionFailure("without a number, a line is named")
            }
            let options = work.runOptions(
                mart,
                pipeline: pipeline,
                input: input.path
            )
            return try queries.rejectedValue(
                RejectedLine(path: file, number: line, field: field),
                options,
                access
            )
        }
    }
}
