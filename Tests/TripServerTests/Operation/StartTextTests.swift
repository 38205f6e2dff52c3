import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct StartTextTests {
    private static let command = "triptych-server user add NAME --mart m"

    private static func text(
        _ content: StartText.Content = .generation(
            number: 12,
            through: CivilDate(text: "2026-10-31"),
            isSynthetic: false
        ),
        isFallenBack: Bool = false,
        address: String = "http://127.0.0.1:8080/",
        audience: StartAudience = .accounts(count: 1, command: command),
        hasWorker: Bool = true
    ) -> StartText {
        StartText(
            content: content,
            isFallenBack: isFallenBack,
            mart: MartPath("/nowhere/a mart"),
            address: address,
            socket: "127.0.0.1:8080",
            audience: audience,
            hasWorker: hasWorker
        )
    }

    @Test func whereAllIsWellOneLineSaysSo() {
        let text = Self.text()
        let line = "Serving generation 12 (data through 2026-10-31) at http://127.0.0.1:8080/"
        #expect(text.lines == [line])
        #expect(text.warnings.isEmpty)
        #expect(text.all.map(\.text) == [line])
    }

    @Test func behindAProxyBothAddressesAreNamed() {
        let lines = Self.text(address: "https://kpi.example.org/").lines
        #expect(lines[0].hasSuffix(" at https://kpi.example.org/"))
        #expect(lines[1] == "Listening at 127.0.0.1:8080.")
    }

    @Test func whereNothingIsPublishedItSaysWhatToDo() {
        let text = Self.text(.nothing)
        #expect(text.lines == ["Serving nothing yet at http://127.0.0.1:8080/"])
        #expect(text.warnings.count == 1)
        #expect(text.warnings[0].hasSuffix("triptych run PIPELINE --mart '/nowhere/a mart'"))
        // A mart that cannot be read is not one in which nothing is published.
        let damaged = Self.text(.nothing, isFallenBack: true)
        #expect(damaged.warnings.count == 1)
        #expect(damaged.warnings[0].contains("triptych verify --mart '/nowhere/a mart'"))
        let older = Self.text(isFallenBack: true).warnings
        #expect(older.count == 1 && older[0].contains("an older one is served"))
    }

    @Test func withoutAccountsItNamesTheCommandThatAddsOne() {
        let warnings = Self.text(audience: .accounts(count: 0, command: Self.command)).warnings
        #expect(warnings.count == 1)
        #expect(warnings[0].hasPrefix("No account can sign in"))
        #expect(warnings[0].hasSuffix(Self.command))
    }

    @Test func aDemoNamesItsAccountsTheirRolesAndThePassword() {
        let text = Self.text(
            .generation(number: 1, through: nil, isSynthetic: true),
            audience: .demo
        )
        #expect(text.warnings.isEmpty)
        #expect(text.lines[0].hasPrefix("Serving generation 1 (without trips) at "))
        let all = text.lines.joined(separator: "\n")
        #expect(all.contains("synthetic"))
        #expect(all.contains("'\(DemoAccounts.password)'"))
        for account in DemoAccounts.all {
            let line = text.lines.first { $0.hasPrefix("  \(account.name) ") }
            #expect(line?.contains(" \(account.role.rawValue) ") == true)
        }
    }

    @Test func generatedTripsAreCalledSoWithoutADemoToo() {
        let text = Self.text(.generation(number: 1, through: nil, isSynthetic: true))
        #expect(text.lines.contains(DemoAccounts.notice))
        let real = Self.text(.withheld(number: 3), audience: .demo)
        #expect(real.lines[0].hasPrefix("Serving nothing yet"))
        #expect(real.warnings.count == 1 && real.warnings[0].contains("generation 3"))
    }

    @Test func withoutAWorkerItSaysWhatToStart() {
        let lines = Self.text(hasWorker: false).lines
        #expect(lines.count == 2)
        #expect(lines[1].hasSuffix("runs work PIPELINE --watch --mart '/nowhere/a mart'"))
    }

    @Test func whatIsServedAtThatMomentIsSaid() throws {
        let mart = try PublishedMart().publish(seed: 1)
        let folder = ServingFolder(mart.folder)
        let state = ServerState(
            folder: folder,
            keyRing: try KeyRing(path: nil, folder: mart.folder, isRequired: false),
            now: { 0 }
        )
        let settings = BackendSettings(martPath: mart.martPath, host: "::1")
        let before = StartText(state, settings, issuer: nil, port: 81, audience: .demo)
        #expect(before.content == .nothing && !before.hasWorker)
        #expect(before.address == "http://[::1]:81/" && before.lines.count > 1)
        _ = folder.refresh()
        let worker = try RunQueue(mart.folder).worker(now: 1)
        let after = StartText(state, settings, issuer: "https://a.test", port: 81, audience: .demo)
        let through = CivilDate(text: "2026-06-28")
        #expect(after.content == .generation(number: 1, through: through, isSynthetic: false))
        #expect(after.hasWorker && after.address == "https://a.test/")
        withExtendedLifetime(worker) {}
    }
}
