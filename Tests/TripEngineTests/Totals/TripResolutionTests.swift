import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Compares the fast resolution of versions, in partitions, with the literal definition.
@Suite struct TripResolutionTests {
    static let shape = TripShape(
        columns: [
            ShapeColumn(name: "trip_id", kind: .text, isDerived: false),
            ShapeColumn(name: "pickup_at", kind: .timestamp, isDerived: false),
            ShapeColumn(name: "pickup_at_utc", kind: .timestamp, isDerived: false),
            ShapeColumn(name: "cost_cents", kind: .money, isDerived: false),
            ShapeColumn(name: "exported", kind: .text, isDerived: false),
            ShapeColumn(name: "region", kind: .text, isDerived: true),
            ShapeColumn(name: "trip_type", kind: .text, isDerived: true),
        ],
        costName: "cost_cents"
    )

    /// One version of a trip in the test.
    struct Version: Hashable {
        let tripID: String
        let pickup: Int64
        let cost: Int64?
        let exported: String
    }

    private func batch(_ versions: [Version], file: Int) -> PackedBatch {
        func text(_ values: [String]) -> Column {
            .text(
                TextColumn(
                    codes: values.indices.map { UInt32($0 + 1) },
                    pool: TextPool(values)
                )
            )
        }
        let pickups = versions.map(\.pickup)
        let batch = TripBatch(
            fileIndex: file,
            columns: [
                text(versions.map(\.tripID)), .integer(IntegerColumn(values: pickups)),
                .integer(IntegerColumn(values: pickups)),
                .integer(
                    IntegerColumn(
                        values: versions.map { $0.cost ?? 0 },
                        nulls: versions.map { $0.cost == nil }
                    )
                ),
                text(versions.map(\.exported)), text(versions.map { _ in "08" }),
                text(versions.map { _ in "BLS" }),
            ],
            recordNumbers: versions.indices.map { UInt32($0 + 1) },
            lineNumbers: versions.indices.map { UInt32($0 + 2) }
        )
        return PackedBatch(batch)
    }

    /// The literal definition: versions per trip id in order, sequences of equal ones; the first of
    /// the last sequence is accepted.
    private func twin(
        _ files: [[Version]],
        byField: Bool
    ) -> (accepted: Set<[Int]>, terms: [[Int]: LedgerTerm], withinFile: [[Int]: [Int]]) {
        var versions: [String: [(position: [Int], version: Version)]] = [:]
        for (file, list) in files.enumerated() {
            for (row, version) in list.enumerated() {
                versions[version.tripID, default: []].append(([file, row], version))
            }
        }
        var accepted: Set<[Int]> = []
        var terms: [[Int]: LedgerTerm] = [:]
        // Records that a different one of their file replaces, by the one after them.
        var withinFile: [[Int]: [Int]] = [:]
        for list in versions.values {
            let ordered =
                byField
                ? list.enumerated().sorted {
                    ($0.element.version.exported, $0.offset)
                        < ($1.element.version.exported, $1.offset)
                }.map(\.element) : list
            var runs: [[(position: [Int], version: Version)]] = []
            for entry in ordered {
                if runs.last?.last?.version == entry.version {
                    runs[runs.count - 1].append(entry)
                } else {
                    runs.append([entry])
                }
            }
            for (earlier, later) in zip(ordered, ordered.dropFirst())
            where earlier.version != later.version && earlier.position[0] == later.position[0]
                && (!byField || earlier.version.exported == later.version.exported)
            {
                withinFile[later.position] = earlier.position
            }
            for (index, run) in runs.enumerated() {
                if index == runs.count - 1 {
                    accepted.insert(run[0].position)
                } else {
                    terms[run[0].position] = .superseded
                }
                for entry in run.dropFirst() { terms[entry.position] = .duplicate }
            }
        }
        return (accepted, terms, withinFile)
    }

    /// Ids that differ early, after their first sixteen bytes, and in zero bytes at their ends.
    private static let ids =
        (0..<6).map { "T-\($0)" } + (0..<4).map { "T-0123456789ABCDEF\($0)" }
        + ["T-0123456789ABCD", "T-3\0", "T-3\0\0"]

    /// Every version that was set aside, with its term, by trip id, then in order of exports.
    private func expectSetAside(
        _ resolution: TripResolution,
        _ terms: [[Int]: LedgerTerm],
        _ files: [[Version]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expected = terms.map { position, term in
            (id: files[position[0]][position[1]].tripID, position: position, term: term)
        }.sorted { left, right in
            guard left.id == right.id else {
                return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
            }
            return left.position.lexicographicallyPrecedes(right.position)
        }
        let found = resolution.setAside.map {
            "\($0.position.batch) \($0.position.row) \($0.term.rawValue)"
        }
        let wanted = expected.map { entry in
            "\(entry.position[0]) \(entry.position[1]) \(entry.term.rawValue)"
        }
        let areSame = found == wanted
        #expect(areSame, sourceLocation: sourceLocation)
    }

    @Test(arguments: [false, true], [1, 2, 8])
    func resolutionAgreesWithTheDefinition(byField: Bool, threadCount: Int) throws {
        let shape = try #require(Self.shape)
        var random = SeededDice(seed: byField ? 5 : 6)
        for _ in 0..<60 {
            let files = (0..<(1 + random.below(4))).map { file in
                (0..<random.below(40)).map { _ in
                    Version(
                        tripID: Self.ids[random.below(Self.ids.count)],
                        pickup: Int64(random.below(3)),
                        cost: random.below(4) == 0 ? nil : Int64(random.below(2)),
                        exported: byField ? "\(random.below(3))" : ""
                    )
                }
            }
            let resolution = TripResolution(
                batches: files.enumerated().map { batch($1, file: $0) },
                shape: shape,
                order: VersionOrder(
                    sourceOfFile: files.map { _ in 0 },
                    orderColumns: [byField ? 4 : nil]
                ),
                threadCount: threadCount
            )
            let expected = twin(files, byField: byField)
            let accepted = resolution.storedOrder(threadCount: threadCount).map {
                [Int($0.batch), Int($0.row)]
            }
            #expect(Set(accepted) == expected.accepted)
            #expect(accepted.count == expected.accepted.count)
            expectSetAside(resolution, expected.terms, files)
            expectRepetitions(resolution, files, expected.withinFile)
            let keys = accepted.map { (files[$0[0]][$0[1]].pickup, files[$0[0]][$0[1]].tripID) }
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    /// Which files share ids, and which records of one file replace each other, by plain search.
    private func expectRepetitions(
        _ resolution: TripResolution,
        _ files: [[Version]],
        _ withinFile: [[Int]: [Int]]
    ) {
        let ids = files.map { Set($0.map(\.tripID)) }
        var shared: [[Int]: Int] = [:]
        for id in Set(ids.joined()) {
            let holding = ids.indices.filter { ids[$0].contains(id) }
            for (earlier, later) in zip(holding, holding.dropFirst()) {
                shared[[earlier, later], default: 0] += 1
            }
        }
        let counts = resolution.sharedIDs.counts.map { ([$0.key.earlier, $0.key.later], $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: counts) == shared)
        let idsOfFile = resolution.sharedIDs.idsOfFile
        #expect(files.indices.allSatisfy { (idsOfFile[$0] ?? 0) == ids[$0].count })
        func place(_ position: TripPosition) -> [Int] { [Int(position.batch), Int(position.row)] }
        for pair in resolution.replacements {
            let earlier = files[Int(pair.earlier.batch)][Int(pair.earlier.row)]
            let later = files[Int(pair.later.batch)][Int(pair.later.row)]
            #expect(earlier.tripID == later.tripID && earlier != later)
            #expect(pair.withinFile.map(place) == withinFile[place(pair.later)])
        }
        let superseded = resolution.setAside.count { $0.term == .superseded }
        #expect(resolution.replacements.count == superseded)
    }

    /// Versions of one trip, one file each, by the text of their order field.
    private func terms(_ exported: [String], sources: [Int], columns: [Int?]) throws -> [String] {
        let batches = exported.enumerated().map { file, exported in
            batch(
                [Version(tripID: "T", pickup: 0, cost: Int64(file), exported: exported)],
                file: file
            )
        }
        let resolution = TripResolution(
            batches: batches,
            shape: try #require(Self.shape),
            order: VersionOrder(sourceOfFile: sources, orderColumns: columns),
            threadCount: 2
        )
        let accepted = resolution.storedOrder(threadCount: 2).map { "\($0.batch)" }
        return accepted + resolution.setAside.map { "\($0.position.batch) \($0.term.rawValue)" }
    }

    @Test func eachSourceOrdersItsOwnVersions() throws {
        // By files the last version is accepted; by the field the first one is.
        #expect(try terms(["9", "5"], sources: [0, 0], columns: [nil])[0] == "1")
        #expect(try terms(["9", "5"], sources: [0, 0], columns: [4])[0] == "0")
        // Each by its field, and the sources among each other by their files.
        #expect(try terms(["9", "5"], sources: [0, 1], columns: [4, 4])[0] == "1")
        #expect(try terms(["9", "5", "1"], sources: [0, 1, 0], columns: [4, nil])[0] == "0")
        #expect(
            try terms(["9", "5", "1", "0"], sources: [0, 1, 0, 1], columns: [4, nil])[0] == "3"
        )
    }

    @Test func theWordThatFillsABlankIsNotAValue() throws {
        // A blank region, filled, and one that was written with the same word.
        func version(_ file: Int, filler: UInt32) -> PackedBatch {
            var batch = batch(
                [Version(tripID: "T", pickup: 0, cost: 1, exported: "")],
                file: file
            ).unpacked
            var region = TextColumn(codes: [1], pool: TextPool(["UNKNOWN"]))
            region.fillerCode = filler
            batch.columns[4] = .text(region)
            return PackedBatch(batch)
        }
        let shape = try #require(Self.shape)
        for (fillers, term) in [
            ([0, 0], LedgerTerm.duplicate), ([1, 1], .duplicate), ([0, 1], .superseded),
        ] as [([UInt32], LedgerTerm)] {
            let resolution = TripResolution(
                batches: fillers.enumerated().map { version($0, filler: $1) },
                shape: shape,
                threadCount: 1
            )
            #expect(resolution.setAside.map(\.term) == [term])
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func largePartsAgreeWithTheDefinitionForAnyThreads(threadCount: Int) throws {
        // Enough trips for several parts and many spans of time; one in ten comes twice.
        var random = SeededDice(seed: 77)
        let files = (0..<3).map { file in
            (0..<40_000).map { row in
                Version(
                    tripID: random.below(10) == 0
                        ? "T-\(random.below(120_000))" : "T-\(file)-\(row)",
                    pickup: Int64(random.below(2_000_000)) - 1_000_000,
                    cost: Int64(random.below(2)),
                    exported: ""
                )
            }
        }
        let resolution = TripResolution(
            batches: files.enumerated().map { batch($1, file: $0) },
            shape: try #require(Self.shape),
            threadCount: threadCount
        )
        let expected = twin(files, byField: false)
        let accepted = resolution.storedOrder(threadCount: threadCount).map {
            [Int($0.batch), Int($0.row)]
        }
        #expect(accepted.count == expected.accepted.count)
        #expect(Set(accepted) == expected.accepted)
        expectSetAside(resolution, expected.terms, files)
        let keys = accepted.map { (files[$0[0]][$0[1]].pickup, files[$0[0]][$0[1]].tripID) }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    }
}
