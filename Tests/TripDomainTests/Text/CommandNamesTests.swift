import Testing

@testable import TripDomain

@Suite struct CommandNamesTests {
    private static let program = CommandNames(
        "triptych",
        [
            CommandNames("run"), CommandNames("plan"),
            CommandNames("runs", [CommandNames("list"), CommandNames("show")]),
        ]
    )

    @Test(arguments: [
        (["plna", "p"], "Did you mean `triptych plan`?"), (["RUN"], "Did you mean `triptych run`?"),
        (["runs", "shwo", "3"], "Did you mean `triptych runs show`?"),
        (["publish"], "Commands: run, plan, runs."), (["pipelines/ambulance"], "has no command"),
    ])
    func aMistypedNameIsAnswered(words: [String], answer: String) {
        let fault = Self.program.fault(words)
        #expect(fault?.contains(answer) == true, "\(fault ?? "")")
    }

    @Test func aTypeNamesItsCommand() {
        #expect(CommandNames.name(ofType: "SignOut") == "sign-out")
        #expect(CommandNames.name(ofType: "List") == "list")
    }

    @Test(arguments: [
        [], ["run"], ["run", "anything"], ["runs"], ["runs", "list"], ["runs", "--limit", "3"],
        ["--help"], ["help", "runs"], ["--version"], ["runs", "show", "3"],
    ])
    func namesOfCommandsAreNoFault(words: [String]) {
        #expect(Self.program.fault(words) == nil)
    }
}
