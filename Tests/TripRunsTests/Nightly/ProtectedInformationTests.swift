import Foundation
import Testing
import TripDomain
import TripReports

@testable import TripRuns

/// No patient identifier leaves the exports: not into the mart's files, not into any output.
@Suite struct ProtectedInformationTests {
    static let canary = "7777777777V654321"

    @Test func theCanaryIsInTheArchiveOnly() throws {
        let folder = try RunFolder()
        let pipeline = RunPipeline.text().replacing(
            "  owner: Vehicle Owner",
            with:
                "  owner: Vehicle Owner\n"
                + "  patient: {from: Patient, pattern: \"\\\\d{10}V\\\\d{6}\"}"
        )
        try folder.write("pipeline/pipeline.yaml", pipeline + RunPipeline.lenient)
        let header = RunPipeline.header.replacing("\n", with: ",Patient\n")
        func line(_ id: Int, _ patient: String, cost: String = "1.00") -> String {
            RunPipeline.line(id, cost: cost).replacing("\n", with: ",\(patient)\n")
        }
        // In a valid trip, in rejects of three kinds, and in a line that has too many fields.
        let text =
            header + line(1, Self.canary) + line(2, Self.canary + "X")
            + line(3, Self.canary, cost: Self.canary) + line(4, Self.canary + ",more")
            + "\"" + Self.canary + "\n"
        try folder.write("in/trips_1.csv", text)
        // A file without header, whose first line is data.
        try folder.write("in/trips_2.csv", line(5, Self.canary))
        let session = RunSession(
            options: folder.options { $0.skippedFiles = [] },
            command: "run pipeline",
            output: RunScreens(),
            progress: Progress()
        )
        let withheld = session.perform()
        #expect(withheld.status == .noUsableInput)
        try folder.remove("in/trips_2.csv")
        let ending = session.perform()
        #expect(ending.status == .published)
        let printed = ([withheld.text, ending.text].flatMap { [$0.summary] + $0.details })
            .joined(separator: "\n")
        #expect(!printed.contains(Self.canary))
        for file in try Self.files(below: folder.path + "/mart") where !file.contains("/archive/") {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            for encoding in Self.encodings {
                #expect(data.range(of: encoding) == nil, "\(file)")
            }
        }
        let queries = MartQueries(martPath: folder.path + "/mart", keyPath: nil)
        let explanation = ExplainScreen(try queries.explain("T-1"))
        for format in [OutputFormat.table, .json] {
            #expect(try !explanation.text(format, showsAll: true, on: .usual).contains(Self.canary))
        }
        let reject = try queries.reject(1, reveals: false)
        #expect(!RejectScreen(reject).text(on: .usual).contains(Self.canary))
    }

    /// The canary as text, reversed, in hexadecimal, in base 64 and in UTF-16.
    static var encodings: [Data] {
        let bytes = Data(canary.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        return [
            bytes, Data(canary.lowercased().utf8), Data(String(canary.reversed()).utf8),
            Data(hex.utf8), Data(hex.uppercased().utf8), bytes.base64EncodedData(),
            canary.data(using: .utf16LittleEndian) ?? bytes,
            canary.data(using: .utf16BigEndian) ?? bytes,
        ]
    }

    static func files(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }
            .filter { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                return !isFolder.boolValue
            }
    }
}
