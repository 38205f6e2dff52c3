import Crypto
import Foundation
import Testing

@testable import TripServer

@Suite struct PagePolicyTests {
    @Test func aPageMayDoNothingButWhatIsInIt() {
        let policy = PagePolicy(style: "a{}").text
        #expect(policy.hasPrefix("default-src 'none'; base-uri 'none'; frame-ancestors 'none'; "))
        #expect(!policy.contains("script-src"))
        #expect(!policy.contains("unsafe"))
    }

    /// The hashes, by another library, for texts of every length up to three groups.
    @Test(arguments: 0..<10)
    func hashesAreThoseOfBrowsers(count: Int) {
        let text = String(repeating: "x", count: count)
        let hash = Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString()
        var policy = PagePolicy(style: text)
        #expect(policy.text.hasSuffix("style-src 'sha256-\(hash)'"))
        policy.allow(script: text)
        #expect(policy.text.hasSuffix("script-src 'sha256-\(hash)'"))
    }

    @Test func aFormGoesToThisServerAndOnToTheClient() {
        var policy = PagePolicy(style: "")
        policy.allowForm(sentOnTo: "https://a.test")
        #expect(policy.text.hasSuffix("form-action 'self' https://a.test"))
    }

    @Test func aFormThatLeadsNowhereElseStaysHere() {
        var policy = PagePolicy(style: "")
        policy.allowForm(sentOnTo: nil)
        #expect(policy.text.hasSuffix("form-action 'self'"))
    }

    @Test func aPageThatAsksSendsNoForm() {
        var policy = PagePolicy(style: "")
        policy.allowRequests()
        #expect(policy.text.hasSuffix("connect-src 'self'; form-action 'none'"))
    }
}
