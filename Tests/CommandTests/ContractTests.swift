import Testing

/// The server's HTTP interface against its contract, tested by libraries that know OpenAPI but not
/// this program.
@Suite struct ContractTests {
    private static let python = ShellScript.root + "/.build/contract-venv/bin/python"

    /// Publishes a mart of synthetic trips and starts the server with it.
    private static func run(_ script: String, before: String = "") throws -> ShellScript.Ending {
        try ShellScript(
            """
            set -e
            triptych generate --out in --trips 3000 --months 6 --seed 7 >generated
            triptych run $ROOT/pipelines/ambulance --mart mart --input in \\
                --reference in/reference >night 2>&1
            \(before)
            \(python) -B $ROOT/Tests/Contract/\(script)
            """
        ).run()
    }

    /// `make docs` writes the page.
    @Test func theAPIPageMatchesTheDocument() throws {
        let ending = try ShellScript(
            """
            \(Self.python) -B $ROOT/Tests/Contract/page.py >page
            cmp page $ROOT/Sources/TripServer/SignIn/Pages/contract.html
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func everyAnswerFollowsTheContract() throws {
        let ending = try Self.run("test_contract.py mart")
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

    @Test func noViewerCanDeriveASmallCount() throws {
        let ending = try Self.run("test_disclosure.py mart")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func otherTokensAndOtherWaysInAreRefused() throws {
        let ending = try Self.run("test_identity.py mart")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func passkeysAndForgottenPasswordsInARealBrowser() throws {
        let ending = try Self.run("test_passkeys.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func pagesAreAccessible() throws {
        let ending = try Self.run("test_accessibility.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func operatorsManageAccounts() throws {
        let ending = try Self.run("test_accounts.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func logsHoldNoPatientAndNoRequestContent() throws {
        let ending = try Self.run("test_canaries.py mart in")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func externalTokensGiveTheSameAccess() throws {
        let ending = try Self.run("test_issuer.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func limitsHoldUnderOverloadAndBesideSlowClients() throws {
        let ending = try Self.run("test_limits.py mart")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func theExampleOfAReverseProxyLimitsAndNamesItsClients() throws {
        let ending = try Self.run("test_proxy.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func whatIsAskedForIsCarriedOutByTheWorkerBesideTheServer() throws {
        let ending = try Self.run(
            "test_runs.py mart pipeline in/reference",
            before: "cp -r $ROOT/pipelines/ambulance pipeline"
        )
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func aDamagedFileIsReplacedByTheOneBefore() throws {
        let ending = try Self.run("test_damage.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func theDemoShowsSyntheticTripsOnly() throws {
        let ending = try Self.run("test_demo.py .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func maliciousFilesAreRefusedOrInert() throws {
        let ending = try Self.run("test_attack_files.py .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func sqlInRequestsStaysText() throws {
        let ending = try Self.run("test_injection.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func systemdUnitsAreValidAndLeaveTheServerWhatItNeeds() throws {
        let ending = try Self.run("test_units.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func malformedHTTPIsRefused() throws {
        let ending = try Self.run("test_http.py mart")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func transportIsTLS13WithACertificateThatCanBeRenewed() throws {
        let ending = try Self.run("test_tls.py mart .")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func threeTLSScannersFindNothing() throws {
        let ending = try Self.run("test_scans.py mart . $ROOT/.build/scan-venv/bin/sslyze")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func acceptedRequestsAreAnsweredBeforeTheServerEnds() throws {
        let ending = try Self.run("test_restarts.py mart --cycles 100")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func noAnswerMixesGenerationsWhileAHundredArePublished() throws {
        let ending = try ShellScript(
            """
            \(Self.python) -B $ROOT/Tests/Contract/test_generations.py $ROOT/pipelines/minimal . \
                --publications 100 --rate 200
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.contains("0 faults"))
    }

    @Test func requestsGeneratedFromTheContractFindNoFault() throws {
        let ending = try Self.run("fuzz.py mart --examples 60")
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.contains("Fuzzing"))
    }
}
