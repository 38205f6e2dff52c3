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
                --reference in/reference >night 2>&1 || test $? = 10  # a planted cut is named
            python3 -B $ROOT/Tests/Recount/recount.py --pipeline $ROOT/pipelines/ambulance \
                --input in --reference in/reference --mart mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test(arguments: ["county", "minimal", "claims-837", "claims-cclf"])
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

    /// The pipeline declares measures and dimensions of its own, and what `kpi` answers on them is
    /// compared with the trips as well.
    @Test(arguments: seeds(1...20))
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
            for program in recount declared_answers; do
                python3 -B $ROOT/Tests/Recount/$program.py --pipeline odd/pipeline \
                    --input odd/in --reference odd/reference --mart mart
            done
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// Forms of exports that have recounts of their own, in `Tests/Shapes`.
    private static let shapes = [
        ("billed-trips", "billed_trips.py"), ("call-log", "call_log.py"),
        ("unit-times", "unit_times.py"), ("use-file", "use_file.py"),
    ]

    @Test(arguments: shapes, seeds(1...5))
    func anExportOfAShapeEqualsItsRecount(
        shape: (pipeline: String, script: String),
        seed: Int
    ) throws {
        let ending = try ShellScript(
            """
            set -e
            P=$ROOT/pipelines/\(shape.pipeline)
            S="python3 -B $ROOT/Tests/Shapes/\(shape.script)"
            $S make out \(seed)
            for night in out/*; do
                triptych run $P --mart mart --input $night --reference $P/reference >night 2>&1 \
                    || [ $? -eq 10 ]
            done
            $S recount out mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// Claims whose cost is derived of two amounts: each line with its own, by file and term.
    @Test(arguments: seeds(1...5))
    func linesOfADerivedCostAddUpToTheirTrips(seed: Int) throws {
        let ending = try ShellScript(
            """
            set -e
            python3 -B $ROOT/Tests/Recount/claim_exports.py --shape 837 --seed \(seed) --out .
            cp -r $ROOT/pipelines/claims-837 mine
            total='coalesce(paid_cents, 0) + coalesce(charge_cents, 0)'
            sed -i "s/^kpis:.*/kpis: {cost: total}/; s/^derived:/derived:\\n  total: $total/" \
                mine/pipeline.yaml
            triptych run mine --mart mart --input in --reference mine/reference >night 2>&1 \
                || [ $? -eq 10 ]
            python3 -B $ROOT/Tests/Shapes/claim_costs.py in mart
            triptych verify --mart mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// Claims with planted cases: what the generator says of each line, and the recount.
    @Test(arguments: ["837", "cclf"], seeds(1...20))
    func joinedLinesOfClaimsEqualTheirRecount(shape: String, seed: Int) throws {
        let ending = try ShellScript(
            """
            set -e
            python3 -B $ROOT/Tests/Recount/claim_exports.py --shape \(shape) --seed \(seed) --out .
            P=$ROOT/pipelines/claims-\(shape)
            triptych run $P --mart mart --input in --reference $P/reference >night 2>&1 \
                || [ $? -eq 10 ]
            python3 -B $ROOT/Tests/Recount/claim_check.py --expected expected.json --mart mart
            python3 -B $ROOT/Tests/Recount/recount.py --pipeline $P --input in \
                --reference $P/reference --mart mart
            # Night by night, in any order of arrival, the state is the same. A first night of lines
            # whose claims begin in a file that has not come publishes nothing (65).
            mkdir late
            for file in $(ls in | sort -r); do
                cp in/$file late/
                triptych run $P --mart nights --input late --reference $P/reference >night 2>&1 \
                    || case $? in 10 | 11) ;; 65) [ ! -e nights/triptych.sqlite ] ;; *) false ;; esac
            done
            python3 -B $ROOT/Tests/Recount/claim_check.py --expected expected.json --mart nights
            triptych verify --mart nights
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// Any lines, with and without numbers: the program and the recount say the same of them.
    @Test(arguments: ["837", "cclf"], seeds(1...12))
    func anyLinesOfClaimsEqualTheirRecount(shape: String, seed: Int) throws {
        let ending = try ShellScript(
            """
            set -e
            python3 -B $ROOT/Tests/Recount/claim_exports.py --shape \(shape) --seed \(seed) \
                --claims 150 --out . --odd
            cp -r $ROOT/pipelines/claims-\(shape) mine
            \(seed % 3 == 0 ? "sed -i '/^      line: /d' mine/pipeline.yaml" : "")
            triptych run mine --mart mart --input in --reference mine/reference >night 2>&1 \
                || [ $? -eq 10 ]
            python3 -B $ROOT/Tests/Recount/recount.py --pipeline mine --input in \
                --reference mine/reference --mart mart
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
