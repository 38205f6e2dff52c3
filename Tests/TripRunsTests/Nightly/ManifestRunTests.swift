import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns
@testable import TripSynthetic

/// A run on synthetic exports, compared with the faults that the generator reports.
@Suite struct ManifestRunTests {
    private struct Amount: Decodable, Equatable {
        let items: Int64
        let cents: Int64
        let unpriced: Int64

        init(_ amount: LedgerAmount) {
            items = amount.items
            cents = amount.cents
            unpriced = amount.unpriced
        }
    }

    private struct File: Decodable {
        let path: String
        let read: Amount
        let accepted: Amount
        let duplicate: Amount
        let superseded: Amount
        let rejected: Amount
        let rejects: [Rejected]
    }

    private struct Rejected: Decodable {
        let reason: String
        let record: Int
        let line: Int
        // swift-format-ignore: the manifest's own word
        let byte_offset: Int
        let field: String?
    }

    private struct Manifest: Decodable {
        let files: [File]
    }

    @Test(arguments: [("native", 1), ("mixed", 2), ("legacy", 3)])
    func everyInsertedFaultIsFoundInItsRecord(layout: String, seed: Int) throws {
        let folder = try RunFolder()
        var synthetic = SyntheticOptions(tripCount: 6000, monthCount: 6, seed: UInt64(seed))
        synthetic.layout = try #require(SyntheticLayout(rawValue: layout))
        synthetic.packing = .alternating
        synthetic.hasFaults = true
        _ = try SyntheticExport(synthetic).write(to: folder.path + "/in", threadCount: 2)
        try folder.run {
            $0.pipelinePath = Repository.path("pipelines/ambulance")
            $0.referencePath = folder.path + "/in/reference"
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/in/manifest.json"))
        let manifest = try JSONDecoder().decode(Manifest.self, from: data)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        let entries = try mart.files()
        #expect(entries.map(\.path) == manifest.files.map(\.path))
        for (entry, file) in zip(entries, manifest.files) {
            #expect(Amount(entry.ledger.read) == file.read, "\(file.path)")
            #expect(Amount(entry.ledger[.accepted]) == file.accepted, "\(file.path)")
            #expect(Amount(entry.ledger[.duplicate]) == file.duplicate, "\(file.path)")
            #expect(Amount(entry.ledger[.superseded]) == file.superseded, "\(file.path)")
            #expect(Amount(entry.ledger[.rejected]) == file.rejected, "\(file.path)")
            #expect(entry.ledger.read == entry.ledger.explained)
            let rejects = try mart.rejects(RejectFilter(path: file.path), limit: 10_000)
            #expect(
                rejects.map {
                    "\($0.reason.rawValue) \($0.field ?? "-") \($0.position.recordNumber) "
                        + "\($0.position.lineNumber) \($0.position.byteOffset)"
                }
                    == file.rejects.map {
                        "\($0.reason) \($0.field ?? "-") \($0.record) \($0.line) \($0.byte_offset)"
                    }
            )
        }
    }
}
