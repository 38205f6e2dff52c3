import ArgumentParser
import TripMart
import TripRuns

/// `triptych diff [FIRST] [SECOND]`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Why the number moved: from one generation to another, cause by cause.",
        discussion: """
            Follows every trip from where it stood to where it stands: what each edit of rules and \
            reference files moved, which trips were withdrawn or corrected, which came late (made before \
            the earlier data ended), which are new, and what remains. Trips, classes, in-house % and known \
            cost of the parts sum exactly to the difference; each part changes what the ones before it \
            left. --by and the filters ask the same of months, types, regions, classes or bases. Trips \
            of a generation that are no longer kept are built once more from its exports: that takes \
            the time, the disk and the key of `verify`. Nothing in the mart changes.
            """
    )

    @Argument(help: "The generation to begin with. (default: the one before the other)")
    var first: Int?

    @Argument(help: "The generation to end with. (default: the served one)")
    var second: Int?

    @OptionGroup var question: QueryOptions

    @Option(help: "Where trips that are no longer kept are built. (default: a folder in the mart)")
    var scratch: String?

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        try CommandEnding.catching {
            let difference = Difference(
                options: work.runOptions(mart),
                query: try question.query(),
                scratch: scratch,
                progress: Progress(isShown: Output.isTerminal(.standardError))
            )
            let text = try difference.answer(first, second, format.chosen)
            Output.line(text, to: .standardOutput)
        }
    }
}
