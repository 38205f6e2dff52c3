import Foundation
import Testing

@testable import TripServer

@Suite final class MartPathTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("triptych-mart-path-" + UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/demo",
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(fileURLWithPath: folder + "/dmoe"))
    }

    deinit {
        // A folder that stays behind does no harm.
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func aFolderCanBeServedAlsoWhereNothingIsPublishedYet() {
        #expect(MartPath(folder + "/demo").refusal == nil)
        #expect(MartPath(folder + "/demo/").fault == nil)
    }

    @Test(arguments: ["/dmeo", "/dmeo/", "//dmeo"])
    func aMistypedFolderIsRefusedWithTheNearestOne(name: String) {
        let path = folder + name
        let refusal = MartPath(path).refusal ?? ""
        #expect(refusal.hasPrefix("the mart cannot be served: there is no folder '\(path)'. "))
        // A file of a nearer name is no mart.
        #expect(refusal.contains("Did you mean '\(folder)/demo'? "))
        #expect(refusal.hasSuffix("publish first: triptych run PIPELINE --mart \(path)."))
    }

    @Test func whereNothingIsNearNothingIsOffered() {
        let path = folder + "/else where"
        let refusal = MartPath(path).refusal ?? ""
        #expect(!refusal.contains("Did you mean"))
        #expect(refusal.hasSuffix("--mart '\(path)'."))
        let below = MartPath(folder + "/dmoe/mart").fault
        #expect(below == "there is no folder '\(folder)/dmoe/mart'")
    }

    @Test func aFileIsNoMart() {
        let refusal = MartPath(folder + "/dmoe").refusal ?? ""
        #expect(refusal.contains("'\(folder)/dmoe' is no folder. "))
        #expect(refusal.hasSuffix("--mart DIR."))
    }

    @Test func aMartBelowIsFound() throws {
        let mart = try PublishedMart().publish(seed: 1)
        #expect(MartPath(mart.path).below == mart.martPath)
        #expect(MartPath(mart.martPath).below == nil)
        #expect(MartPath(folder).below == nil)
    }
}
