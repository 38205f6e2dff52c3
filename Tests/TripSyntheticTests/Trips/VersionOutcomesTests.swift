import Testing
import TripDomain

@testable import TripEngine
@testable import TripSynthetic

@Suite struct VersionOutcomesTests {
    @Test(arguments: [
        ([0], [LedgerTerm.accepted]),
        ([0, 0], [.accepted, .duplicate]),
        ([0, 1], [.superseded, .accepted]),
        ([0, 1, 0], [.superseded, .superseded, .accepted]),
        ([0, 1, 1], [.superseded, .accepted, .duplicate]),
        (
            [0, 0, 1, 1, 0, 0],
            [
                .superseded, .duplicate, .superseded, .duplicate, .accepted, .duplicate,
            ]
        ),
    ])
    func equalVersionsCollapseAndTheLastSequenceIsAccepted(labels: [Int], terms: [LedgerTerm]) {
        #expect(VersionOutcomes.terms(labels: labels) == terms)
    }
}
