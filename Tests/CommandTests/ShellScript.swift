import Foundation

/// A script run by bash in an empty folder, with the command on the path.
struct ShellScript {
    /// How a script ended and what it printed.
    struct Ending {
        let status: Int32
        let output: String
        let errors: String
        /// The folder it ran in.
        let folder: String
        /// What the script calls the checkout.
        let checkout: String
    }

    /// The checkout.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")
    /// Where the command was built: beside the test bundle.
    static let binaryFolder = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().path

    /// The folder where the programs of one script record their code coverage, where the tests
    /// themselves record theirs; nowhere else.
    private static func profiles() -> String {
        let isCounted = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil
        return isCounted
            ? "\(binaryFolder)/codecov-programs/\(UUID().uuidString)-%m.profraw" : "/dev/null"
    }

    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Runs the script to its end.
    ///
    /// The script reaches the checkout by a link, and both paths have the same length on every
    /// machine: screens break their lines by the paths in them. `KEEP=1` keeps the folder and
    /// prints its path.
    func run() throws -> Ending {
        let number = UUID().uuidString.prefix(8)
        let (folder, checkout) = ("/tmp/triptych-\(number)", "/tmp/checkout-\(number)")
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        try FileManager.default.createSymbolicLink(
            atPath: checkout,
            withDestinationPath: Self.root
        )
        defer { Self.leave(folder, checkout) }
        let process = Process()
        // The parent process may ignore broken pipes; in a terminal, writing into one is reported.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--default-signal=PIPE", "/bin/bash", "-c", text]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        var environment = [
            "PATH": Self.binaryFolder + ":/usr/local/bin:/usr/bin:/bin", "ROOT": checkout,
            "HOME": folder, "TRIPTYCH_NOW": "2026-11-01T06:14:00Z", "TRIPTYCH_THREADS": "2",
            "LC_ALL": "C.UTF-8", "LLVM_PROFILE_FILE": Self.profiles(),
        ]
        // What is slow by nature runs in `make prove` alone.
        environment["PROVE"] = ProcessInfo.processInfo.environment["PROVE"]
        process.environment = environment
        // The output goes to files, not pipes: a full pipe without a reader would stop the command.
        let (out, err) = (folder + "/.stdout", folder + "/.stderr")
        for file in [out, err] { try Data().write(to: URL(fileURLWithPath: file)) }
        process.standardOutput = FileHandle(forWritingAtPath: out)
        process.standardError = FileHandle(forWritingAtPath: err)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus,
            output: try String(contentsOfFile: out, encoding: .utf8),
            errors: try String(contentsOfFile: err, encoding: .utf8),
            folder: folder,
            checkout: checkout
        )
    }

    private static func leave(_ folder: String, _ checkout: String) {
        guard ProcessInfo.processInfo.environment["KEEP"] == nil else {
            print("kept \(folder)")
            return
        }
        // What remains does no harm.
        try? FileManager.default.removeItem(atPath: checkout)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
