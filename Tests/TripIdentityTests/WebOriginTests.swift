import Testing

@testable import TripIdentity

@Suite struct WebOriginTests {
    @Test(arguments: [
        ("https://a.test:1/b?c", "https://a.test:1", "a.test"),
        ("https://a.test?c", "https://a.test", "a.test"),
        ("https://A.Test:443/B", "https://a.test", "a.test"),
        ("http://a.test:80", "http://a.test", "a.test"),
        ("https://a.test:80", "https://a.test:80", "a.test"),
        ("http://a.test:443", "http://a.test:443", "a.test"),
        ("http://[::1]:8080/", "http://[::1]:8080", "[::1]"),
    ])
    func theOriginIsWrittenAsInBrowsers(address: String, text: String, host: String) throws {
        let origin = try #require(WebOrigin(of: address))
        #expect(origin.text == text)
        #expect(origin.host == host)
    }

    @Test(arguments: ["a.test", "", "https:///", "ftp://a.test/", "https:a.test"])
    func anAddressWithoutAnOriginIsRefused(address: String) {
        #expect(WebOrigin(of: address) == nil)
    }

    @Test(arguments: [
        ("https://a.test", "a.test"), ("https://a.test:8443", "a.test"),
        ("http://localhost:8080", "localhost"), ("http://a.test", nil), ("https://127.0.0.1", nil),
        ("http://127.0.0.1:8080", nil), ("https://[::1]", nil),
    ])
    func passkeysAreForNamedHosts(address: String, party: String?) throws {
        #expect(try #require(WebOrigin(of: address)).relyingParty == party)
    }
}
