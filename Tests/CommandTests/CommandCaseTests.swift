import Foundation
import Testing

/// Whole commands compared with their expected output.
///
/// `make golden` rewrites; `git diff` is the review.
@Suite struct CommandCaseTests {
    @Test func thereAreCases() {
        #expect(CommandCase.all.count >= 20)
    }

    @Test(arguments: CommandCase.all)
    func commandPrintsTheExpectedOutput(_ command: CommandCase) throws {
        let actual = try command.run()
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            try command.rewrite(actual)
            return
        }
        #expect(actual == command.expected)
    }
}
