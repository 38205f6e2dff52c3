import Testing
import TripDomain
import TripEngine

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

@Suite struct CompiledPipelineTests {
    /// A crash on a faulty pipeline would end this process; that is the test.
    @Test(arguments: 1...10)
    func anyPipelineGivesFaultsOrTrips(seed: Int) throws {
        var dice = PipelineDice(seed: UInt64(seed))
        var (faulty, classified, trips) = (0, 0, 0)
        for _ in 0..<300 {
            switch try dice.trial().outcome() {
            case .faults(let faults):
                faulty += 1
                #expect(!faults.isEmpty && faults.allSatisfy { !$0.file.isEmpty })
            case .trips(let count):
                classified += 1
                trips += count
            }
        }
        // Both outcomes must occur: a test that finds only faults tests no classifier.
        #expect(faulty > 30 && classified > 30 && trips > 30, "\(faulty) \(classified) \(trips)")
    }

    /// A pipeline that `check` accepts is never refused by the mart's tables afterwards.
    @Test(arguments: 101...103)
    func aPipelineThatClassifiesTripsCanPublishThem(seed: Int) throws {
        var dice = PipelineDice(seed: UInt64(seed))
        var published = 0
        while published < 8 {
            let trial = dice.trial()
            guard case .trips(let count) = try trial.outcome(), count > 0 else { continue }
            let folder = try RunFolder()
            for (name, text) in trial.files { try folder.write("pipeline/" + name, text) }
            let own = try #require(trial.files["pipeline.yaml"]).replacing(/checks: .*\n/, with: "")
            try folder.write("pipeline/pipeline.yaml", own + RunPipeline.lenient)
            for (name, text) in trial.references { try folder.write("reference/" + name, text) }
            try folder.write("in/export.csv", trial.export)
            do {
                try folder.run()
                published += 1
            } catch let error as RunError where error.summary.contains("reserved word") {
                // A derived region of `all` is a fault that only the records show.
                continue
            }
        }
    }
}
