import Testing

@testable import TripServer

@Suite struct HostNamesTests {
    private static func host(_ value: String) -> String? {
        HostNames.host(in: value.utf8[...]).map { String(Substring($0)) }
    }

    @Test(arguments: [
        ("localhost", "localhost"), ("localhost:8080", "localhost"), ("localhost:", "localhost"),
        ("a-b.example_c.TEST:443", "a-b.example_c.TEST"), ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]", "[::1]"), ("[2001:DB8::1.2.3.4]:8080", "[2001:DB8::1.2.3.4]"),
    ])
    func aHostStandsWithOrWithoutItsPort(value: String, host: String) {
        #expect(Self.host(value) == host)
    }

    @Test(arguments: [
        "", ":", ":80", "a b", "a/b", "a@b", "user:word@a", "a,b", "a\u{e9}", "a\0", "a?b", "a#b",
        "http://a", "a:b", "a:80:80", "a:-1", "a:100000", "::1", "[]", "[", "]", "[::1", "[::1]80",
        "[::g]", "[a b]", "a]",
    ])
    func otherTextIsNoHost(value: String) {
        #expect(Self.host(value) == nil)
    }

    @Test(arguments: [
        "localhost", "LocalHost", "127.0.0.1", "127.9.8.7", "[::1]", "trips.example",
        "Trips.Example",
    ])
    func thisMachineAndWhatStandsInFrontMayBeAsked(host: String) {
        #expect(HostNames(issuer: "https://trips.example:8443/").contains(host.utf8[...]))
    }

    @Test(arguments: [
        "evil.test", "trips.example.evil.test", "evil.trips.example", "localhost.evil.test",
        "128.0.0.1",
        "127.1", "10.0.0.1", "[::2]",
    ])
    func otherHostsAreRefused(host: String) {
        #expect(!HostNames(issuer: "https://trips.example").contains(host.utf8[...]))
    }

    @Test func withoutAnIssuerThisMachineMayBeAsked() {
        #expect(HostNames(issuer: nil).contains("localhost".utf8[...]))
        #expect(!HostNames(issuer: nil).contains("trips.example".utf8[...]))
    }
}
