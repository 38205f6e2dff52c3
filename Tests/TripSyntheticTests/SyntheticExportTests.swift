import Glibc
import Testing
import TripDomain

@testable import TripEngine
@testable import TripSynthetic

@Suite struct SyntheticExportTests {
    private func options(
        _ trips: Int,
        _ months: Int,
        seed: UInt64 = 5,
        _ change: (inout SyntheticOptions) -> Void = { _ in }
    ) -> SyntheticOptions {
        var options = SyntheticOptions(tripCount: trips, monthCount: months, seed: seed)
        change(&options)
        return options
    }

    @Test(arguments: [2, 3, 8])
    func theNumberOfThreadsMakesNoDifference(threadCount: Int) throws {
        let one = try ExportFolder()
        let many = try ExportFolder()
        let options = options(6_000, 7) {
            $0.hasFaults = true
            $0.packing = .alternating
            $0.layout = .mixed
        }
        try SyntheticExport(options).write(to: one.path, threadCount: 1)
        try SyntheticExport(options).write(to: many.path, threadCount: threadCount)
        for folder in ["", "/resent", "/renamed", "/reference"] {
            let names = try ExportFolder.names(in: one.path + folder)
            #expect(try ExportFolder.names(in: many.path + folder) == names)
            for name in names {
                let path = folder + "/" + name
                #expect(
                    try ExportFolder.bytes(one.path + path)
                        == ExportFolder.bytes(many.path + path),
                    "\(path)"
                )
            }
        }
    }

    @Test func anotherSeedGivesOtherTripsInTheSameWorld() throws {
        let first = try ExportFolder()
        let second = try ExportFolder()
        try SyntheticExport(options(500, 1, seed: 1)).write(to: first.path, threadCount: 1)
        try SyntheticExport(options(500, 1, seed: 2)).write(to: second.path, threadCount: 1)
        let name = "/claims_20261103.csv"
        #expect(
            try ExportFolder.bytes(first.path + name) != ExportFolder.bytes(second.path + name)
        )
        for (name, _) in ReferenceFiles.files() {
            let path = "/reference/" + name
            #expect(
                try ExportFolder.bytes(first.path + path)
                    == ExportFolder.bytes(second.path + path)
            )
        }
    }

    @Test(arguments: [
        (
            SyntheticLayout.native,
            "trip_id,pickup_at,station,visn,provider_npi,provider_name,vehicle_id,contract_no,"
                + "hcpcs,modifiers,loaded_miles,patient_icn,billed_amount,paid_amount,status"
        ),
        (
            .legacy,
            "Trip Number,Svc Date,Svc Time,Facility,VISN,Unit,PO Number,NPI,Provider,Proc Code,"
                + "Mod 1,Mod 2,Miles,ICN,Amt Billed,Amt Paid,Outcome"
        ),
    ])
    func everyLayoutHasItsHeader(layout: SyntheticLayout, header: String) throws {
        let folder = try ExportFolder()
        let options = options(300, 1) { $0.layout = layout }
        try SyntheticExport(options).write(to: folder.path, threadCount: 1)
        let lines = try ExportFolder.lines(folder.path + "/claims_20261103.csv")
        #expect(lines.first == header)
        #expect(lines.count == 301)
    }

    @Test func mixedExportsBeginWithTheOlderLayout() throws {
        let folder = try ExportFolder()
        let options = options(600, 6) { $0.layout = .mixed }
        let summary = try SyntheticExport(options).write(to: folder.path, threadCount: 2)
        let isLegacy = try summary.paths.map { path in
            try ExportFolder.lines(folder.path + "/" + path)[0].hasPrefix("Trip Number")
        }
        #expect(isLegacy == [true, true, false, false, false, false])
    }

    @Test func everyTripIsMarkedAsGenerated() throws {
        let folder = try ExportFolder()
        try SyntheticExport(options(2_000, 3)).write(to: folder.path, threadCount: 1)
        for name in try ExportFolder.names(in: folder.path) where name.hasPrefix("claims_") {
            for line in try ExportFolder.lines(folder.path + "/" + name).dropFirst() {
                #expect(line.hasPrefix(SyntheticMark.tripIDPrefix))
            }
        }
        let mark = try ExportFolder.lines(folder.path + "/" + SyntheticMark.fileName)
        #expect(mark.contains("  \"synthetic\": true,"))
    }

    @Test func aFolderWithOtherExportsIsRefused() throws {
        let folder = try ExportFolder()
        try SyntheticExport(options(100, 3)).write(to: folder.path, threadCount: 1)
        #expect(throws: SyntheticFault.self) {
            try SyntheticExport(options(100, 1)).write(to: folder.path, threadCount: 1)
        }
        // Writing the same exports again is allowed.
        try SyntheticExport(options(100, 3)).write(to: folder.path, threadCount: 1)
    }

    /// `--out data` in a clone would have replaced `data/reference`.
    @Test(arguments: ["reference", "manifest.json"])
    func filesThatWereNotGeneratedAreNotOverwritten(name: String) throws {
        let folder = try ExportFolder()
        let path = folder.path + "/" + name
        #expect(mkdir(path, 0o755) == 0)
        let fault = #expect(throws: SyntheticFault.self) {
            try SyntheticExport(options(100, 1)).write(to: folder.path, threadCount: 1)
        }
        #expect(fault?.path == path)
        #expect(try ExportFolder.names(in: folder.path).allSatisfy { $0 == name })
    }

    @Test func aFolderThatCannotBeMadeIsAnError() {
        #expect(throws: SyntheticFault.self) {
            try SyntheticExport(options(10, 1)).write(to: "/proc/none/here", threadCount: 1)
        }
    }

    @Test func committedSampleIsWhatTheGeneratorWrites() throws {
        let sample = try ExportFolder.repository("data/sample")
        let folder = try ExportFolder()
        try SyntheticExport(.sample).write(
            to: folder.path,
            threadCount: 2,
            includesReference: false
        )
        for part in ["", "/resent", "/renamed"] {
            let names = try ExportFolder.names(in: folder.path + part)
            #expect(try ExportFolder.names(in: sample + part) == names)
            for name in names {
                let path = part + "/" + name
                // Unpacked, because another version of zlib may compress differently.
                #expect(
                    try ExportFolder.bytes(folder.path + path)
                        == ExportFolder.bytes(sample + path),
                    "\(path)"
                )
            }
        }
    }

    @Test(arguments: [
        (0, 1, 1), (10, 0, 1), (5, 6, 1), (100, 1, 29), (100, 400, 1), (900_000_000, 1, 1),
    ])
    func invalidOptionsAreExplained(trips: Int, months: Int, files: Int) {
        let options = options(trips, months) { $0.filesPerMonth = files }
        #expect(options.problem != nil)
    }
}
