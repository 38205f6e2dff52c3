import Testing

@testable import TripServer

@Suite struct OAuthClientTests {
    @Test(arguments: [
        "https://dashboard.test/", "https://dashboard.test", "https://dashboard.test:8443/a?b=c",
        "http://127.0.0.1:8080/", "http://localhost/signed-in", "http://[::1]:8080/",
        "http://[::1]/",
    ])
    func wholeAddressesMayBeSentBackTo(address: String) {
        #expect(OAuthClient.mayRedirect(to: address))
    }

    @Test(arguments: [
        "", "/", "dashboard.test", "http://dashboard.test/", "https:///", "https://",
        "ftp://a.test/",
        "https://a.test/#b", "https://user@a.test/", "http://127.0.0.1.elsewhere.test/",
        "http://localhost@elsewhere.test/", "javascript:alert(1)", "https://a.test/ b",
        "https://a.test/\r\nX: y", "https://a.test/\"", "https://a.test/;b", "data:text/html,x",
        "http://[::1].elsewhere.test/", "http://[::2]/",
    ])
    func othersMayNot(address: String) {
        #expect(!OAuthClient.mayRedirect(to: address))
    }
}
