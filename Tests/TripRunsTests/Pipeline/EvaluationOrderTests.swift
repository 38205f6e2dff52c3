import TestSupport
import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Look-ups and derived fields that need each other.
@Suite struct EvaluationOrderTests {
    /// A chain: unit → code → fleet → owner → agency → kind.
    private static let derived = [
        "code: upper(substr(unit, 1, 1))", "owner: lower(fleet.owner)",
        "kind: coalesce(agency.kind, 'none')",
    ]

    private static func files(_ derived: [String]) -> [PipelineFile] {
        let text = """
            pipeline: mine
            sources: {s: {files: "*.csv"}}
            fields:
              trip_id: id
              pickup_at: at
              region: region
              trip_type: type
              unit: unit
            lookups:
              agency: {file: agencies.csv, match: {owner: agency}}
              fleet: {file: fleet.csv, match: {code: code}, valid_on: pickup_date}
            derived:
            \(derived.map { "  " + $0 }.joined(separator: "\n"))
            rules:
              - {id: own, class: in_house, because: b, when: "agency.kind = 'own'"}
              - {id: lent, class: contracted, because: b, when: "kind = 'lent'"}
            """
        return [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
    }

    private static let references = [
        ("fleet.csv", "code,owner,from,to\nM,City,,\nV,Acme,,2026-05-31\nV,Metro,2026-06-01,\n"),
        ("agencies.csv", "agency,kind\ncity,own\nacme,lent\n"),
    ].map { PipelineFile(path: $0.0, content: Array($0.1.utf8)) }

    private static func faults(_ derived: [String]) throws -> [PipelineFault] {
        do {
            let pipeline = try PipelineReader.read(files: files(derived))
            _ = try CompiledPipeline(pipeline, references: references, dataThrough: nil)
            return []
        } catch let faults as PipelineFaults {
            return faults.faults
        }
    }

    @Test(arguments: 0..<10)
    func aChainGivesWhatOneTripAfterTheOtherGives(seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        let rows = (0..<80).map { number in
            (
                unit: ["M1", "m2", "V3", "v4", "X5", ""][dice.below(6)],
                day: ["2026-05-31", "2026-06-01"][dice.below(2)],
                line: number
            )
        }
        let text =
            "id,at,region,type,unit\n"
            + rows.map { "T-\($0.line),\($0.day) 10:00,1,BLS,\($0.unit)\n" }.joined()
        let compiled = try CompiledPipeline(
            try PipelineReader.read(files: Self.files(Self.derived)),
            references: Self.references,
            dataThrough: nil
        )
        // The slow twin: dictionaries, trip by trip.
        let wanted = rows.map { unit, day, _ -> [String?] in
            let code = unit.isEmpty ? nil : String(unit.prefix(1)).uppercased()
            let owners = ["M": "city", "V": day < "2026-06-01" ? "acme" : "metro"]
            let owner = code.flatMap { owners[$0] }
            let kind = owner.flatMap { ["city": "own", "acme": "lent"][$0] }
            return [code, owner, kind ?? "none", kind == "own" ? "1" : kind == "lent" ? "2" : "0"]
        }
        for sliceSize in [1 << 20, 64] {
            var request = compiled.pipeline.request(
                for: compiled.pipeline.sources[0],
                name: "a.csv"
            )
            request.slicing = Slicing(threads: 2, sliceSize: sliceSize)
            var found: [[String?]] = []
            _ = try ExportReader.read(
                try ByteSource(bytes: Array(text.utf8), name: "a.csv"),
                request,
                make: { compiled.classifier.classify(compiled.zones.resolve($0)).batch },
                deliver: { part in
                    let batch = part.content
                    let texts = ["code", "owner", "kind"].compactMap { name in
                        compiled.classifier.shape.columns.firstIndex { $0.name == name }
                    }.map { batch.columns[$0].texts }
                    for row in 0..<batch.count {
                        found.append(
                            texts.map { $0.pool.string($0.codes[row]) }
                                + ["\(batch.ruleNumbers[row])"]
                        )
                    }
                }
            )
            #expect(found == wanted)
        }
    }

    @Test(arguments: [
        (["code: upper(owner)", "owner: lower(fleet.owner)"], "in a circle"),
        (
            ["owner: lower(fleet.owner)", "code: upper(owner)"],
            "`fleet` needs `code` needs `owner` needs `fleet`"
        ),
        (
            ["code: agency.kind", "owner: lower(fleet.owner)"],
            "`agency` needs `owner` needs `fleet` needs `code` needs `agency`"
        ),
        (["owner: lower(fleet.owner)", "code: unit"], "derived below it"),
        (["code: length(unit)", "owner: lower(fleet.owner)"], "`code` must be TEXT"),
        (["code: unit"], "which is no field"),
    ])
    func whatCannotBeEvaluatedIsAFault(derived: [String], words: String) throws {
        let faults = try Self.faults(derived)
        #expect(faults.contains { $0.message.contains(words) }, "\(faults)")
    }

    @Test func whatTheKeysReadIsReadOfStoredTripsAndNotTried() throws {
        let compiled = try CompiledPipeline(
            try PipelineReader.read(files: Self.files(Self.derived)),
            references: Self.references,
            dataThrough: nil
        )
        let shape = compiled.classifier.shape
        let read = compiled.classifier.fieldsRead.map { shape.columns[$0].name }
        #expect(read.contains("unit") && !read.contains("trip_id"))
        #expect(compiled.classifier.sourcesOfDerivedKeys == ["unit", "fleet"])
    }
}
