import Testing

@testable import TripServer

@Suite struct SignInPaceTests {
    private let here = NetworkAddress.v4(1)
    private let there = NetworkAddress.v4(2)

    @Test func aMinutesWorthMayComeAtOnceAndThenOneByOne() {
        let pace = SignInPace(perMinute: 60)
        for _ in 0..<60 { #expect(pace.wait(here, at: 100) == nil) }
        #expect(pace.wait(here, at: 100) == 1)
        #expect(pace.wait(there, at: 100) == nil)
        #expect(pace.wait(here, at: 101) == nil)
        #expect(pace.wait(here, at: 101) == 1)
        // What was refused was not counted.
        #expect(pace.wait(here, at: 102) == nil)
    }

    @Test func aShareIsWholeAgainAfterAMinute() {
        let pace = SignInPace(perMinute: 5)
        for _ in 0..<5 { #expect(pace.wait(here, at: 0) == nil) }
        #expect(pace.wait(here, at: 0) == 12)
        for _ in 0..<5 { #expect(pace.wait(here, at: 60) == nil) }
        #expect(pace.wait(here, at: 60) == 12)
    }

    /// Beside a window that slides, over a time in which it is asked every second.
    @Test(arguments: [1, 3, 60, 100])
    func inNoMinuteComeMoreThanTwiceAsMany(perMinute: Int) {
        let pace = SignInPace(perMinute: perMinute)
        var admitted: [Int64] = []
        for second in 0..<600 as Range<Int64> {
            for _ in 0..<5 where pace.wait(here, at: second) == nil { admitted.append(second) }
        }
        for start in 0..<540 as Range<Int64> {
            #expect(admitted.count { (start..<start + 60).contains($0) } <= 2 * perMinute)
        }
        // A minute's worth at once, and then as many a minute as there may be.
        let expected = perMinute + perMinute * 599 / 60
        #expect(abs(admitted.count - expected) <= 1)
    }

    @Test func noLimitIsNone() {
        let pace = SignInPace(perMinute: 0)
        for _ in 0..<10_000 { #expect(pace.wait(here, at: 0) == nil) }
    }
}
