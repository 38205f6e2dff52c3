import Testing

@testable import TripServer

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", NetworkAddress.v4(0x7f00_0001)), ("::ffff:127.0.0.1", .v4(0x7f00_0001)),
        ("255.255.255.255", .v4(.max)), ("::1", .v6(0)),
        ("2001:db8:1:2:3:4:5:6", .v6(0x2001_0db8_0001_0002)),
        ("2001:db8:1:2::", .v6(0x2001_0db8_0001_0002)),
    ])
    func neighboursAreToldApart(text: String, address: NetworkAddress) {
        #expect(NetworkAddress(text) == address)
    }

    @Test(arguments: [nil, "", "localhost", "1.2.3", "1.2.3.4:80", "[::1]"] as [String?])
    func whatIsNoAddressIsNone(text: String?) {
        #expect(NetworkAddress(text) == nil)
    }
}
