import Glibc
import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Compares offsets with those of the C library, which reads the same zone files.
@Suite(.serialized) struct TimeZoneRulesTests {
    private func rules(_ name: String) throws -> TimeZoneRules {
        let file = try #require(fopen("/usr/share/zoneinfo/" + name, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return try #require(TimeZoneRules(name: name, bytes: Array(bytes[..<count])))
    }

    @Test(arguments: [
        "America/New_York", "America/Phoenix", "Pacific/Honolulu", "America/Puerto_Rico",
        "America/Anchorage", "Asia/Manila", "Australia/Lord_Howe", "Europe/London", "UTC",
    ])
    func offsetsAgreeWithTheCLibrary(name: String) throws {
        let rules = try rules(name)
        setenv("TZ", name, 1)
        tzset()
        defer {
            unsetenv("TZ")
            tzset()
        }
        var instant: Int64 = -1_000_000_000
        while instant < 4_000_000_000 {
            var seconds = time_t(instant)
            var parts = tm()
            localtime_r(&seconds, &parts)
            #expect(Int(rules.offset(atUTC: instant)) == parts.tm_gmtoff, "\(name) at \(instant)")
            instant += 1_234_567
        }
    }

    /// Compares a clock with a cached offset with the rules, at times near every change and in any
    /// order.
    @Test(arguments: [
        "America/New_York", "Asia/Manila", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC",
        "Africa/Casablanca", "Pacific/Apia",
    ])
    func aClockWithACachedOffsetAgreesWithTheRules(name: String) throws {
        let rules = try rules(name)
        var clock = SteadyClock(rules)
        var instants: [Int64] = [-4_000_000_000, 0, 4_000_000_000]
        var instant: Int64 = -2_000_000_000
        while instant < 4_500_000_000 {
            let (steady, offset) = rules.steadyOffset(atUTC: instant)
            #expect(steady.contains(instant))
            #expect(offset == rules.offset(atUTC: instant))
            for end in [steady.lowerBound, steady.upperBound] where end.magnitude < 5_000_000_000 {
                instants += [-259_201, -86_401, -3_600, -1, 0, 1, 3_600, 86_401, 259_201].map {
                    end + $0
                }
            }
            instant += 3_456_789
        }
        var random = SeededDice(seed: 1)
        for index in instants.indices {
            instants.swapAt(index, Int(random.next() % UInt64(instants.count)))
        }
        for instant in instants {
            #expect(clock.offset(atUTC: instant) == Int64(rules.offset(atUTC: instant)))
            #expect(clock.utc(ofLocal: instant) == rules.utc(ofLocal: instant), "\(instant)")
        }
    }

    @Test func aTimeThatOccursTwiceIsItsFirstOccurrence() throws {
        let zone = try rules("America/New_York")
        // 2026-11-01 01:30 occurs at 05:30 and at 06:30 UTC.
        let local = Int64(CivilDate(text: "2026-11-01").map(\.dayNumber) ?? 0) * 86_400 + 5400
        #expect(zone.utc(ofLocal: local) - local == 4 * 3600)
    }

    @Test func aTimeThatIsSkippedIsReadOnTheClockBefore() throws {
        let zone = try rules("America/New_York")
        let local = Int64(CivilDate(text: "2026-03-08").map(\.dayNumber) ?? 0) * 86_400 + 9000
        #expect(zone.utc(ofLocal: local) - local == 5 * 3600)
    }

    @Test func localTimesAreUnchangedAfterConversionToUTC() throws {
        let zone = try rules("America/Chicago")
        var random = SeededDice(seed: 3)
        for _ in 0..<5000 {
            let instant = Int64(random.next() % 3_000_000_000)
            let local = instant + Int64(zone.offset(atUTC: instant))
            let back = zone.utc(ofLocal: local)
            // The second occurrence of a repeated hour is read as the first.
            #expect(back == instant || back == instant - 3600)
        }
    }

    @Test func bytesThatAreNoZoneFileAreRefused() {
        #expect(TimeZoneRules(name: "x", bytes: []) == nil)
        #expect(TimeZoneRules(name: "x", bytes: Array("TZif2".utf8)) == nil)
    }
}
