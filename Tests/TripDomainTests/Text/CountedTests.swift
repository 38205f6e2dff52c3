import Testing
import TripDomain

@Suite struct CountedTests {
    @Test func aCountOfOneTakesTheSingular() {
        #expect(Counted.text(1, "trip") == "1 trip")
        #expect(Counted.text(0, "trip") == "0 trips")
        #expect(Counted.text(4_638_000, "trip") == "4,638,000 trips")
        #expect(Counted.text(2, "basis", plural: "bases") == "2 bases")
        #expect(Counted.text(Int64(-1), "trip") == "-1 trip")
    }
}
