import Foundation
import TestSupport
import Testing

/// Published generations compared with a recount in plain Python that shares no code with the
/// program.
///
/// The recount reads the raw exports, evaluates the rules' own texts in its SQLite, and compares
/// every trip, reject, ledger term and cell. Each seed gives other trips and other inserted faults.
@Suite struct RecountTests {
    @Test(arguments: seeds(1...20))
    func aGenerationEqualsItsRecount(seed: Int) throws {
        let layout = ["native", "mixed", "legacy"][seed % 3]
        let ending = try ShellScript(
            """
            set -e
            triptych generate --out in --trips 3000 --months 8 --seed \(seed) --faults \
                --layout \(layout) \(seed % 2 == 0 ? "--gzip" : "") >generated
            triptych run $ROOT/pipelines/ambulance --mart mart --input in \
                --reference in/reference >night 2>&1
            python3 -B $ROOT/Tests/Recount/recount.py --pipeline $ROOT/pipelines/ambulance \
                --input in --reference in/reference --mart mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test(arguments: ["county", "minimal"])
    func anotherPipelineEqualsItsRecount(pipeline: String) throws {
        let ending = try ShellScript(
            """
            set -e
            P=$ROOT/pipelines/\(pipeline)
            R=$P/reference
            triptych run $P --mart mart --input $P/sample --reference $R >night 2>&1
            python3 -B $ROOT/Tests/Recount/recount.py --pipeline $P --input $P/sample \
                --reference $R --mart mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test(arguments: seeds(1...12))
    func oddExportsOfARandomPipelineEqualTheirRecount(seed: Int) throws {
        let ending = try ShellScript(
            """
            set -e
            python3 -B $ROOT/Tests/Recount/odd_exports.py --seed \(seed) --out odd >made
            night() {
                triptych run odd/pipeline --mart mart --input odd/in --reference odd/reference \
                    "$@" >night 2>&1 || [ $? -eq 10 ]
            }
            night
            # A file that is far smaller than what it replaces is meant.
            small=$(sed -n 's/^ *refused \\(.*\\): it \\(has a header\\|would replace\\).*/\\1/p' night)
            [ -z "$small" ] || night $(printf -- '--accept-smaller %s ' $small)
            python3 -B $ROOT/Tests/Recount/recount.py --pipeline odd/pipeline \
                --input odd/in --reference odd/reference --mart mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func theRecountFindsInsertedFaults() throws {
        let ending = try ShellScript(
            "cd $ROOT/Tests/Recount && python3 -B -m unittest -q test_recount"
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }
}
