import Testing

@testable import TripServer

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", NetworkAddress.v4(0x7f00_0001)), ("::ffff:127.0.0.1", .v4(0x7f00_0001)),
        ("255.255.255.255", .v4(.max)), ("::1", .v6(0)),
        ("2001:db8:1:2:3:4:5:6", .v6(0x2001_0db8_0001_0002)),
        ("2001:db8:1:2::", .v6(0x2001_0db8_0001_0002)),
    ])
    func oneClientIsToldFromAnother(text: String, address: NetworkAddress) {
        #expect(NetworkAddress(text) == address)
    }

    @Test(arguments: [nil, "", "localhost", "1.2.3", "1.2.3.4:80", "[::1]"] as [String?])
    func otherTextIsNoAddress(text: String?) {
        #expect(NetworkAddress(text) == nil)
    }

    /// A proxy is trusted by its whole address, where one client may have 64 bits of IPv6.
    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("::ffff:127.0.0.1", "127.0.0.1", true),
            ("2001:db8::1", "2001:0db8:0::0001", true), ("2001:db8::1", "2001:db8::2", false),
            ("127.0.0.2", "127.0.0.1", false), (nil, "127.0.0.1", false), ("a", "a", false),
        ] as [(String?, String, Bool)]
    )
    func wholeAddressesAreCompared(one: String?, other: String, isSame: Bool) {
        #expect(NetworkAddress.isSame(one, other) == isSame)
    }
}
