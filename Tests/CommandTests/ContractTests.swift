import Foundation
import Testing

/// The server's HTTP interface against its contract, tested by libraries that know OpenAPI but not
/// this program.
///
/// `make prove` runs what is slow by nature: more restarts, publications, requests and thin marts,
/// every state of every page for accessibility, and the scanners.
@Suite struct ContractTests {
    private static let python = ShellScript.root + "/.build/contract-venv/bin/python"

    /// A folder with generated exports in `in` and their mart in `mart`, published once for all
    /// scripts.
    private static let published = Result<String, any Error> {
        let folder = ShellScript.binaryFolder + "/contract-mart"
        let ending = try ShellScript(
            """
            set -e
            rm -rf '\(folder)'; mkdir '\(folder)'; cd '\(folder)'
            triptych generate --out in --trips 3000 --months 6 --seed 7 >generated
            triptych run $ROOT/pipelines/ambulance --mart mart --input in --reference in/reference
            """
        ).run()
        try #require(ending.status == 0, "\(ending.output) \(ending.errors)")
        return folder
    }

    /// Runs one script beside a copy of the mart: scripts add accounts and publish.
    private static func run(_ script: String, before: String = "") throws -> ShellScript.Ending {
        try ShellScript(
            """
            set -e
            cp -a --reflink=auto '\(published.get())'/. .
            \(before)
            \(python) -B $ROOT/Tests/Contract/\(script)
            """
        ).run()
    }

    /// What each script shows stands at its head.
    @Test(arguments: [
        "test_contract.py mart", "test_identity.py mart", "test_passkeys.py mart .",
        "test_accounts.py mart .", "test_canaries.py mart in", "test_issuer.py mart .",
        "test_limits.py mart", "test_proxy.py mart .", "test_damage.py mart .",
        "test_demo.py .", "test_attack_files.py .", "test_injection.py mart .",
        "test_units.py mart .", "test_http.py mart", "test_tls.py mart .", "test_csv.py mart",
        "test_disclosure.py mart --quick", "test_restarts.py mart --cycles 5",
        "test_generations.py $ROOT/pipelines/minimal small --publications 10",
        "test_measures.py $ROOT/pipelines/minimal measured",
    ])
    func theServerKeepsItsContract(script: String) throws {
        let ending = try Self.run(script)
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// `make docs` writes the pages.
    @Test func theAPIPagesMatchTheDocument() throws {
        let ending = try Self.run(
            "page.py >page && cmp page $ROOT/Sources/TripServer/SignIn/Pages/contract.html"
        )
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func answersEqualTheTables() throws {
        // Some trips of the sample have several versions.
        let ending = try Self.run(
            "test_values.py sample",
            before: """
                triptych run $ROOT/pipelines/ambulance --mart sample --input $ROOT/data/sample \\
                    --reference $ROOT/data/reference >sample.log 2>&1 || test $? = 10
                """
        )
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func theWorkerBesideTheServerCarriesOutRuns() throws {
        let ending = try Self.run(
            "test_runs.py mart pipeline in/reference",
            before: "cp -r $ROOT/pipelines/ambulance pipeline"
        )
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }
}
