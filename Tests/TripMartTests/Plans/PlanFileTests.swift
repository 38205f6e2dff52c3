import Glibc
import Testing
import TripDomain

@testable import TripMart

@Suite struct PlanFileTests {
    static func binding(_ id: String, madeBy: String = "analyst") -> PlanBinding {
        PlanBinding(
            id: id,
            pipeline: "mine",
            isSynthetic: true,
            generation: 7,
            generationSum: "00ff",
            inputs: [
                GenerationInput(
                    role: .pipeline,
                    path: "pipeline.yaml",
                    hash: Hex.sha256(Array("pipeline: mine\n".utf8)),
                    content: Array("pipeline: mine\n".utf8)
                ),
                GenerationInput(
                    role: .reference,
                    path: "a.csv",
                    hash: Hex.sha256([0, 255, 10]),
                    content: [0, 255, 10]
                ),
            ],
            madeAt: "2026-11-01 06:14:00Z",
            madeBy: madeBy,
            pipelinePath: "pipelines/mine",
            referencePath: "data/reference"
        )
    }

    static func effects(trips: Int64) -> PlanEffects {
        var sums = KPISums()
        (sums[.trips], sums[.inHouseTrips]) = (trips, trips)
        return PlanEffects(
            edits: ["rules.yaml:3: rule own added as the 1st"],
            editMoves: [
                PlanEffects.EditMove(
                    what: "rule own added",
                    trips: 3,
                    change: PlanEffects.ClassCounts(inHouse: 3, contracted: -2, undetermined: -1),
                    costCents: 500,
                    samples: ["EF"]
                )
            ],
            rules: [
                PlanEffects.RuleMove(
                    oldRule: nil,
                    newRule: "own",
                    trips: 3,
                    countedTrips: 2,
                    samples: ["AB", "CD"]
                )
            ],
            bases: [
                PlanEffects.ClassAndBasisMove(
                    old: "undetermined",
                    new: "in_house/va_fleet",
                    sums: CostSums(trips: 2, costedTrips: 1, costCents: 500)
                )
            ],
            cells: [
                PlanEffects.CellMove(
                    month: "2026-01",
                    tripType: "BLS",
                    region: "08",
                    trips: 0,
                    change: PlanEffects.ClassCounts(inHouse: 3, contracted: -2, undetermined: -1)
                )
            ],
            cube: [KPICell(month: "all", tripType: "all", region: "all", sums: sums)],
            basisCells: [
                BasisCell(
                    month: "all",
                    tripType: "all",
                    region: "all",
                    tripClass: .inHouse,
                    basis: "va_fleet",
                    sums: CostSums(trips: trips)
                )
            ]
        )
    }

    private static func rows(_ path: String, _ table: String) throws -> [String] {
        try BuiltMart.rows(path, "SELECT * FROM \(table)").map { row in
            row.map { $0 ?? "NULL" }.joined(separator: "|")
        }
    }

    @Test func aSavedPlanIsReadUnchanged() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path)
        let path = try PlanFile.save(Self.binding("0a1b2c3d"), Self.effects(trips: 9), in: folder)
        #expect(path == temporary.path + "/plans/0a1b2c3d.plan")
        let file = try PlanFile(path: path)
        #expect(file.binding == Self.binding("0a1b2c3d"))
        #expect(try file.cube() == Self.effects(trips: 9).cube)
        #expect(try file.basisCells() == Self.effects(trips: 9).basisCells)
        for (table, row) in [
            ("edit", "1|rules.yaml:3: rule own added as the 1st"),
            ("edit_move", "1|rule own added|3|3|-2|-1|500"), ("rule_move", "1|NULL|own|3|2"),
            ("ground_move", "undetermined|in_house/va_fleet|2|1|500"),
            ("cell_move", "2026-01|BLS|08|0|3|-2|-1"), ("edit_sample", "1|EF"),
        ] {
            #expect(try Self.rows(path, table) == [row])
        }
        #expect(try Self.rows(path, "rule_sample") == ["1|AB", "1|CD"])
    }

    @Test func aPlanOfTheSameNameIsReplacedAtomically() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path)
        _ = try PlanFile.save(Self.binding("0a1b2c3d"), Self.effects(trips: 9), in: folder)
        let open = try PlanFile(path: folder.planPath("0a1b2c3d"))
        _ = try PlanFile.save(
            Self.binding("0a1b2c3d", madeBy: "another"),
            Self.effects(trips: 5),
            in: folder
        )
        // A reader that has the old file open still reads it.
        #expect(try open.cube().first?.sums.trips == 9)
        let file = try PlanFile(path: folder.planPath("0a1b2c3d"))
        // An account that makes the same plan again does not become its author.
        #expect(file.binding.madeBy == "analyst")
        #expect(try file.cube().first?.sums.trips == 5)
        #expect(try FileSystem.names(in: folder.plansPath) == ["0a1b2c3d.plan"])
    }

    @Test func plansAreFoundByTheirFirstDigits() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path)
        for id in ["0a1b2c3d", "0a99ffff"] {
            _ = try PlanFile.save(Self.binding(id), Self.effects(trips: 1), in: folder)
        }
        #expect(try PlanFile.path(named: "0a1", in: folder) == folder.planPath("0a1b2c3d"))
        #expect(try PlanFile.path(named: "0a99ffff", in: folder) == folder.planPath("0a99ffff"))
        #expect(try PlanFile.path(named: "x/y", in: folder) == "x/y")
        #expect(try PlanFile.path(named: "y.plan", in: folder) == "y.plan")
        let name = "0a1b2c3d.plan"
        #expect(try PlanFile.path(named: name, in: folder) == folder.plansPath + "/" + name)
        for (name, remedy) in [
            ("0a", "Several plans begin with 0a"), ("ff", "Make one"), ("", "Make one"),
        ] {
            let error = #expect(throws: MartError.self) {
                try PlanFile.path(named: name, in: folder)
            }
            #expect(error?.code == .notFound)
            #expect(error?.remedy.contains(remedy) == true)
        }
    }

    @Test func otherFilesAreNoPlans() throws {
        let temporary = TemporaryFolder()
        let path = temporary.path + "/other"
        let connection = try GenerationFile.make(path)
        try connection.execute("CREATE TABLE kpi_cube(month TEXT); COMMIT")
        try connection.close()
        let error = #expect(throws: MartError.self) { try PlanFile(path: path) }
        #expect(error?.code == .foreignFile)
        let text = temporary.path + "/text"
        try FileSystem.writeNew(Array("not a plan".utf8), to: text, mode: 0o600)
        #expect(throws: MartError.self) { try PlanFile(path: text) }
        #expect(throws: MartError.self) { try PlanFile(path: temporary.path + "/none") }
    }

    /// Inputs that do not match their hashes were never planned.
    @Test func alteredInputsAreNoticed() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path)
        let path = try PlanFile.save(Self.binding("0a1b2c3d"), Self.effects(trips: 1), in: folder)
        let connection = try RawConnection(path: path, mode: .create)
        try connection.execute("UPDATE generation_input SET content = x'00' WHERE path = 'a.csv'")
        try connection.close()
        let error = #expect(throws: MartError.self) { try PlanFile(path: path) }
        #expect(error?.code == .damaged)
    }

    /// The files of a stopped planning process are removed after a while, and no sooner.
    @Test func leftoversAreRemoved() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path)
        try FileSystem.makeFolder(folder.plansPath, mode: 0o700)
        for name in [".building-old", ".building-young"] {
            try FileSystem.writeNew([], to: folder.plansPath + "/" + name, mode: 0o600)
        }
        var times = utimbuf(actime: 0, modtime: 1_000_000)
        #expect(utime(folder.plansPath + "/.building-old", &times) == 0)
        _ = try PlanFile.save(Self.binding("0a1b2c3d"), Self.effects(trips: 1), in: folder)
        #expect(
            try FileSystem.names(in: folder.plansPath) == [".building-young", "0a1b2c3d.plan"]
        )
    }

    @Test func aPlanThatCannotBeSavedLeavesNoFile() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path)
        // A file cannot replace a folder that has the plan's name.
        try FileSystem.makeFolder(folder.planPath("0a1b2c3d"), mode: 0o700)
        #expect(throws: MartError.self) {
            try PlanFile.save(Self.binding("0a1b2c3d"), Self.effects(trips: 1), in: folder)
        }
        #expect(try FileSystem.names(in: folder.plansPath) == ["0a1b2c3d.plan"])
    }
}
