import Testing

@testable import TripServer

@Suite struct RateLimiterTests {
    @Test func thirtyMayBeWithinTenMinutes() {
        let limiter = RevealRoute.usualLimiter()
        for second in 0..<30 { #expect(limiter.wait(1, at: Int64(second)) == nil) }
        #expect(limiter.wait(1, at: 30) == 570)
        #expect(limiter.wait(2, at: 30) == nil)
        #expect(limiter.wait(1, at: 599) == 1)
        #expect(limiter.wait(1, at: 600) == nil)
        #expect(limiter.wait(1, at: 600) == 1)
    }

    @Test func aRefusedEventIsNotCounted() {
        let limiter = RateLimiter<String>(2, per: 60)
        for _ in 0..<2 { #expect(limiter.allows("a", at: 0)) }
        for second in 0..<60 as Range<Int64> {
            #expect(limiter.wait("a", at: second) == 60 - second)
        }
        for _ in 0..<2 { #expect(limiter.allows("a", at: 60)) }
    }

    /// The plainest limiter that could be right: every event there ever was, counted again each
    /// time.
    private struct SlowLimiter {
        let countMax: Int
        var events: [Int64] = []

        mutating func allows(at now: Int64) -> Bool {
            guard events.count(where: { now - $0 < 60 }) < countMax else { return false }
            events.append(now)
            return true
        }
    }

    @Test(arguments: [1, 3, 60, 100]) func itAgreesWithItsSlowTwin(countMax: Int) {
        let limiter = RateLimiter<Int>(countMax, per: 60)
        var twin = SlowLimiter(countMax: countMax)
        for second in 0..<300 as Range<Int64> {
            for _ in 0..<5 {
                #expect(limiter.allows(7, at: second) == twin.allows(at: second))
            }
        }
        #expect(twin.events.count >= 300 / 60 * countMax - countMax)
    }

    @Test func noLimitIsNone() {
        let limiter = RateLimiter<Int>(0, per: 60)
        for _ in 0..<10_000 { #expect(limiter.allows(1, at: 0)) }
    }

    /// A clock that is set back, as that of a machine may be, keeps no key out for longer than an
    /// interval.
    @Test func aClockThatIsSetBackKeepsNoKeyOut() {
        let limiter = RateLimiter<Int>(1, per: 60)
        #expect(limiter.allows(1, at: 10_000))
        #expect(limiter.allows(1, at: 100))
        #expect(limiter.wait(1, at: 101) == 59)
    }

    @Test func keysAreForgottenWhereThereAreTooMany() {
        let limiter = RateLimiter<Int>(1, per: 60, keyCountMax: 3)
        for key in 0..<2 { #expect(limiter.allows(key, at: 0)) }
        #expect(limiter.allows(2, at: 50))
        // Those of a minute ago go, and the one that is still limited stays.
        #expect(limiter.allows(3, at: 70))
        #expect(!limiter.allows(2, at: 70))
        #expect(limiter.allows(4, at: 70))
        // All are limited: the memory is bounded, and the limit begins again.
        #expect(limiter.allows(5, at: 71))
        #expect(limiter.allows(2, at: 71))
    }
}
