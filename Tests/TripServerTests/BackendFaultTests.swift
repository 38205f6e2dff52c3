import Testing
import TripMart
import TripRuns

@testable import TripServer

@Suite struct BackendFaultTests {
    /// The server does not know the commands' table; nothing but the start of a server is behind
    /// what it says otherwise.
    @Test(arguments: MartError.Code.allCases)
    func aServerThatCannotBeginEndsAsACommandWould(code: MartError.Code) {
        let fault = BackendFault(MartError(code, remedy: "Mend it."))
        let status = ExitStatus(code).rawValue
        switch code {
        case .imbalance, .nothingServed, .notFound, .notAFolder, .tripsElsewhere:
            #expect(fault.status == 78)
        default: #expect(fault.status == status)
        }
    }
}
