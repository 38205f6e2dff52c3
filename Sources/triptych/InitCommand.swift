import ArgumentParser
import TripReports
import TripRuns

/// `triptych init FILE…`.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Look at exports, and write a pipeline folder for them that runs.",
        discussion: """
            Finds out how the files are written (delimiter, quotes, encoding, header), what each \
            column holds, and which columns are the trip id, the pick-up, the region, the trip type \
            and the cost. Writes DIR/pipeline.yaml, in which a comment beside each line says what \
            it rests on, and shows what a first run of it would give. Nothing is published, and \
            nothing but the folder is kept. Columns that may name a patient are not read, and no \
            text of an export is printed but short codes of regions, types, owners and states.

            The files have one form: plain or gzip CSV, or text divided by tabs, semicolons or \
            vertical bars. The first 64 MiB are looked at. Exits with 10 where something was not \
            decided.

            Examples:
              triptych init export.csv
              triptych init exports/*.csv.gz --out pipelines/county
            """
    )

    @Argument(help: "The exports, of one form.")
    var files: [String]

    @Option(help: "The folder to write. (default: pipelines/NAME)")
    var out: String?

    @Option(help: "The pipeline's name. (default: the first file's, up to its date)")
    var name: String?

    @OptionGroup var work: WorkOptions
    @OptionGroup var screen: ScreenOptions

    func validate() throws {
        guard out != "" else { throw ValidationError("--out must name a folder.") }
    }

    func run() throws {
        try CommandEnding.catching {
            let report = try InitWork(
                paths: files,
                folder: out,
                name: name,
                now: work.nowSeconds,
                threadCount: work.threading.count
            ).perform()
            screen.show { InitScreen(report).text(on: $0) }
            if report.status != .published { throw CommandEnding(status: report.status) }
        }
    }
}
