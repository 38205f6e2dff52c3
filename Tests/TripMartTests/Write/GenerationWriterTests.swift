import TestSupport
import Testing
import TripDomain

@testable import TripMart

@Suite struct GenerationWriterTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func tripViewReturnsEveryTripUnchanged(seed: UInt64) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: seed, count: 3000)
        let built = try mart.build(reference)
        let rows = try BuiltMart.rows(built.path, "SELECT * FROM trip ORDER BY trip_number")
        #expect(rows.count == reference.trips.count)
        for (index, row) in rows.enumerated() {
            #expect(Array(row.dropLast()) == reference.trips[index].row(number: index + 1))
            let ref = reference.trips[index].patient.map { "\(mart.keys.patientRef(Masked($0)))" }
            #expect(row.last == ref)
        }
    }

    @Test(arguments: [1, 7, 64, 100_000])
    func batchSizeDoesNotChangeTheFile(batchSize: Int) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 9, count: 600)
        let whole = try Dump.text(of: mart.build(reference, batchSize: 13).path)
        #expect(try Dump.text(of: mart.build(reference, batchSize: batchSize).path) == whole)
    }

    @Test func columnsOfManyValuesAreStoredAsText() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 4, count: 400)
        var writer = mart.writer
        writer.distinctLimit = 25
        let built = try writer.write(reference.contents())
        let stored = try BuiltMart.rows(
            built.path,
            "SELECT name FROM trip_column WHERE stored_as = 'text' ORDER BY name"
        )
        #expect(stored == [["note"], ["trip_id"]])
        let rows = try BuiltMart.rows(built.path, "SELECT note FROM trip ORDER BY trip_number")
        #expect(rows.map { $0[0] } == reference.trips.map(\.note))
        #expect(try GenerationChecker.check(built.path).isEmpty)
    }

    @Test func valuesOfTripsThatWereNotAcceptedAreNotStored() throws {
        let mart = try BuiltMart()
        var contents = ReferenceGeneration(seed: 5, count: 50).contents()
        let dropped = contents.acceptedOrder.removeLast()
        var batch = contents.batches[Int(dropped.batch)].unpacked
        var note = batch.columns[4].texts
        note.codes[Int(dropped.row)] = note.pool.append("only in a superseded version")
        batch.columns[4] = .text(note)
        contents.batches[Int(dropped.batch)] = PackedBatch(batch)
        let built = try mart.writer.write(contents)
        let rows = try BuiltMart.rows(
            built.path,
            "SELECT 1 FROM text_value WHERE value LIKE 'only in%'"
        )
        #expect(rows.isEmpty)
    }

    @Test func generationWithoutTripsCanBeWrittenAndChecked() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 0))
        #expect(try GenerationChecker.check(built.path, includingIntegrity: true).isEmpty)
        #expect(built.trips == 0)
    }

    @Test func progressEndsWithTheNumberOfTrips() throws {
        let mart = try BuiltMart()
        var seen: [Int] = []
        _ = try mart.writer.write(ReferenceGeneration(seed: 1, count: 5000).contents()) {
            seen.append($0)
        }
        #expect(seen == seen.sorted())
        #expect(seen.last == 5000)
    }

    @Test func namesThatTheTablesNeedAreRefused() throws {
        let mart = try BuiltMart()
        var contents = ReferenceGeneration(seed: 1, count: 5).contents()
        let columns = contents.shape.columns.map { column in
            column.name == "note"
                ? ShapeColumn(name: "Class", kind: .text, isDerived: false) : column
        }
        contents.shape = try #require(TripShape(columns: columns, costName: "cost_cents"))
        expectFailure(.nameClash) { _ = try mart.writer.write(contents) }
    }

    @Test func usedNumberIsRefused() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 1, count: 5)
        try mart.publish(reference)
        expectFailure(.numberTaken) { _ = try mart.writer.write(reference.contents(number: 1)) }
    }

    @Test func patientsAreStoredOnceAndSealed() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 8, count: 500)
        let served = try mart.publish(reference)
        let identifiers = Set(reference.trips.compactMap(\.patient).map(Self.normalised))
        let rows = try BuiltMart.rows(served.file.path, "SELECT patient_ref FROM patient")
        #expect(rows.count == identifiers.count)
        let opened = try rows.map { row -> String in
            let ref = try #require(row[0].flatMap { Int64($0) })
            return try served.openPatient(ref: ref, keys: mart.keys).revealed()
        }
        #expect(Set(opened) == identifiers)
    }

    @Test func noIdentifierAndNoRawRecordIsStoredInClear() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 8, count: 500)
        let built = try mart.build(reference)
        for path in [built.path, built.historyPath, built.kpiPath] {
            let bytes = try FileSystem.readAll(path)
            for canary in ["V17X", "V17x", "raw record 8003"] {
                #expect(!Self.contains(bytes, Array(canary.utf8)))
            }
        }
    }

    @Test func twoIdentifiersWithOneReferenceAreRefused() throws {
        let contents = ReferenceGeneration(seed: 8, count: 100).contents()
        let accepted = contents.batches.map { [Bool](repeating: true, count: $0.count) }
        expectFailure(.patientClash) {
            _ = try PatientTable(contents, accepted: accepted) { { Int64($0.count) } }
        }
    }

    private static func normalised(_ text: String) -> String {
        String(text.uppercased().filter { $0 != " " })
    }

    private static func contains(_ bytes: [UInt8], _ canary: [UInt8]) -> Bool {
        guard bytes.count >= canary.count else { return false }
        return (0...(bytes.count - canary.count)).contains { start in
            bytes[start] == canary[0]
                && bytes[start..<start + canary.count].elementsEqual(canary)
        }
    }
}
