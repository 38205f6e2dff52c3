import ArgumentParser
import TripReports
import TripRuns
import TripText

/// `triptych generate`.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write synthetic exports, the same bytes for the same seed.",
        discussion: """
            Every generated trip id begins with SYN-. A mart made of them is marked synthetic and \
            refuses real exports. The reference files are written to DIR/reference.

            Examples:
              triptych generate --out data/try --trips 5000 --months 6
              triptych run pipelines/ambulance --mart data/mart/try --input data/try \\
                  --reference data/try/reference
            """
    )

    @Option(help: "The folder to write to.")
    var out: String

    @Option(help: "The number of trips.")
    var trips = 100_000

    @Option(help: "The number of months, ending with October 2026.")
    var months = 18

    @Option(help: "The seed; the same seed gives the same bytes.")
    var seed: UInt64 = 1

    @Flag(help: "Compress the files with gzip.")
    var gzip = false

    @Option(help: "native, legacy or mixed (legacy for the first months).")
    var layout = "native"

    @Flag(help: "Insert a known number of faults, and list them in manifest.json.")
    var faults = false

    @Flag(help: "Write exactly the files of data/sample; other options are ignored.")
    var sample = false

    @Option(help: "Threads; the bytes do not depend on their number.")
    var threads: Int?

    func run() throws {
        try CommandEnding.catching {
            let work = GenerateWork(
                folder: out,
                tripCount: trips,
                monthCount: months,
                seed: seed,
                isCompressed: gzip,
                layout: layout,
                plantsFaults: faults,
                isSample: sample,
                threadCount: threads
            )
            Output.line(GeneratedScreen.line(try work.perform()), to: .standardOutput)
        }
    }
}
