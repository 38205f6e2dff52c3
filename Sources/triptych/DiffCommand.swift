import ArgumentParser
import TripMart
import TripReports
import TripRuns
import TripText

/// `triptych diff [FIRST] [SECOND]`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Why the number changed from one generation to another, cause by cause.",
        discussion: """
            Follows every trip from its class in the first generation to its class in the second: \
            what each edit of rules and reference files moved, which trips were withdrawn or \
            corrected, which came late (picked up before the earlier data ended), which are new, \
            and what remains. Trips, classes, in-house % and known cost of the parts sum exactly \
            to the difference; each part starts from the result of the parts before it. --by and \
            the filters show the same for months, types, regions, classes or bases. If the trips \
            of a generation are no longer kept, they are rebuilt from its exports: that takes the \
            time, the disk space and the key that `verify` needs. Nothing in the mart changes but for \
            --save, which keeps the causes of all changes beside the later generation.

            Examples:
              triptych diff
              triptych diff 417 418 --by month
              triptych diff 417 418 --by region --month 2026-10
              triptych diff --save
            """
    )

    @Argument(help: "The earlier generation. (default: the one before the later)")
    var first: Int?

    @Argument(help: "The later generation. (default: the served one)")
    var second: Int?

    @OptionGroup var question: QueryOptions

    @Option(help: "The folder in which trips are rebuilt. (default: a folder in the mart)")
    var scratch: String?

    @Flag(help: "Save all causes in the mart, from which the backend shows them.")
    var save = false

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if let declared = try question.query().declared {
            let known = KPIDimension.allCases.map(\.rawValue)
            throw KnownWords.refusal("--by", declared, known)
        }
        guard !save || first == nil && second == nil else {
            throw ValidationError(
                "--save keeps what led from the generation before to the served one: name none."
            )
        }
    }

    func run() throws {
        try CommandEnding.catching {
            let difference = Difference(
                options: work.runOptions(mart),
                query: try question.query(),
                scratch: scratch,
                isSaved: save,
                progress: LogOptions.terminalProgress
            )
            let screen = DifferenceScreen(try difference.answer(first, second))
            format.show(screen.text)
        }
    }
}
