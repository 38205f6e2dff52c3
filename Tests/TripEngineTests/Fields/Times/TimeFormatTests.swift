import Testing
import TripDomain

@testable import TripEngine

@Suite struct TimeFormatTests {
    private func read(_ format: String, _ text: String) throws -> TimeFormat.Reading? {
        let format = try TimeFormat(format)
        return Array(text.utf8).withUnsafeBufferPointer { format.read($0, needsTime: true) }
    }

    private func local(_ text: String) -> Int64 {
        guard let date = CivilDate(text: String(text.prefix(10))) else { return .min }
        let clock = text.dropFirst(11).split(separator: ":").compactMap { Int64($0) }
        return Int64(date.dayNumber) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    @Test(arguments: [
        ("iso8601", "2026-10-31T23:59:58-04:00", "2026-10-31 23:59:58"),
        ("iso8601", "2026-10-31 23:59", "2026-10-31 23:59:00"),
        ("iso8601", "2026-10-31T23:59:58.123456", "2026-10-31 23:59:58"),
        ("M/d/yyyy H:mm", "3/7/2026 5:04", "2026-03-07 05:04:00"),
        ("MM/dd/yy hh:mm a", "03/07/26 12:04 AM", "2026-03-07 00:04:00"),
        ("MM/dd/yy hh:mm a", "03/07/69 12:04 pm", "1969-03-07 12:04:00"),
        ("d-MMM-yyyy HH:mm:ss", "7-mar-2026 05:04:09", "2026-03-07 05:04:09"),
        ("yyyy'T'MMdd HHmm", "2026T0307 0504", nil),
        ("yyyyMMdd'T'HHmmss", "20260307T050409", "2026-03-07 05:04:09"),
    ])
    func textsAreReadAsWritten(format: String, text: String, expected: String?) throws {
        // The one format above whose day would need a month name has no separator and is refused.
        let reading = try read(format, text)
        #expect(reading?.seconds == expected.map(local) || expected == nil)
    }

    @Test(arguments: [
        ("2026-10-31T12:00:00Z", TimeFormat.Clock.instant),
        ("2026-10-31T12:00:00+00:00", .instant), ("2026-10-31T12:00:00-00:00", .instant),
        ("2026-10-31T12:00:00-04:00", .offset(-14_400)),
        ("2026-10-31T12:00:00+0530", .offset(19_800)), ("2026-10-31T12:00:00+05", .offset(18_000)),
        ("2026-10-31T12:00:00", .local),
    ])
    func theOffsetDecidesTheClock(text: String, clock: TimeFormat.Clock) throws {
        #expect(try read("iso8601", text)?.clock == clock)
    }

    @Test(arguments: [
        "2026-02-30T12:00:00", "2026-10-31", "2026-10-31T24:00:00", "2026-10-31T12:60:00",
        "2026-10-31T12:00:60", "2026-10-31T12:00:00 -04:00", "2026-10-31T12:00:00-15:00",
        "2026-10-31T12:00:00.", "2026-10-31T1:00:00", "2026-10-31T12:00:00Zx", "26-10-31T12:00",
    ])
    func timesThatDoNotExistAreNotRead(text: String) throws {
        #expect(try read("iso8601", text) == nil)
    }

    @Test(arguments: ["M/d H:mm", "yyyy-MM-dd QQ", "yyyy-MM-dd h:mm", "yyyy-MM-dd 'T"])
    func invalidFormatsAreRefused(format: String) {
        #expect(throws: PatternFault.self) { try TimeFormat(format) }
    }

    @Test(arguments: [
        ("yyyy-mm-dd HH:MM", "yyyy-MM-dd HH:mm"), ("yyyy-MM-dd HH:MM", "yyyy-MM-dd HH:mm"),
        ("mm/dd/yyyy hh:mm a", "MM/dd/yyyy hh:mm a"), ("dd-mmm-yyyy H:mm", "dd-MMM-yyyy H:mm"),
        ("yyyy-MM-dd HH:mm:SS", "yyyy-MM-dd HH:mm:ss"), ("YYYY-MM-DD", "yyyy-MM-dd"),
        ("YYYY-MM-DD HH:MI", nil), ("yyyy-MM-ddTHH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss"),
        ("M/d/yyyy h:mm", "M/d/yyyy H:mm"), ("M/d/yyyy HH:mm a", "M/d/yyyy hh:mm a"),
        ("M/d/yyyy HH:mm aa", "M/d/yyyy hh:mm a"), ("%Y-%m-%d %H:%M:%S", "yyyy-MM-dd HH:mm:ss"),
        ("%m/%d/%y %I:%M %p", "MM/dd/yy hh:mm a"), ("uuuu-LL-dd kk:mm", "yyyy-MM-dd HH:mm"),
        ("ISO 8601", "iso8601"), ("yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd'T'HH:mm:ssZ"),
        ("yyyy-MM-dd HH:mm:ss.fff", "yyyy-MM-dd HH:mm:ss.SSS"),
        ("yyyy-MM-dd HH:mm:ssXXX", "yyyy-MM-dd HH:mm:ssZ"),
        ("yyyy-MM-dd mm:HH", "yyyy-MM-dd HH:mm"), ("mm:HH M/d/yyyy", "HH:mm M/d/yyyy"),
        ("M/d/yyyy M H:mm", nil), ("yy yyyy-MM-dd", nil), ("yyyy-MM-dd HH:mm HH", nil),
        ("yyyy-MM-dd HH:ss", nil), ("yyyy-MM-dd HH:mm.S", "yyyy-MM-dd HH:mm.ss"),
        ("d MMMM yyyy H:mm", nil),
        ("EEE d MMM yyyy", nil), ("yyyyMd HHmm", nil), ("M/d/yyyy mm", nil),
    ])
    func aFormatThatCannotBeMeantNamesTheOneThatWas(format: String, meant: String?) throws {
        let fault = #expect(throws: PatternFault.self) { try TimeFormat(format) }
        let suggestion = fault?.suggestion ?? ""
        #expect(
            suggestion.contains("Did you mean `\(meant ?? "")`") == (meant != nil),
            "\(suggestion)"
        )
        #expect(meant != nil || !suggestion.contains("Did you mean"), "\(suggestion)")
        if let meant { _ = try TimeFormat(meant) }
    }

    @Test(arguments: [
        "yyyy-MM-dd HH", "MMM d HH:mm:ss yyyy", "HH:mm dd.MM.yyyy", "a h:mm M/d/yyyy",
        "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
        "yyyyMMdd", "yyyyMMddHHmmss", "M/d/yy h:mm:ss a", "yyyy-MM-ddZ", "d-MMM-yy",
    ])
    func formatsThatExportsUseAreRead(format: String) throws {
        _ = try TimeFormat(format)
    }

    @Test(arguments: [
        ("dd/MM/yyyy HH:mm", "MM/dd/yyyy HH:mm", true), ("d/M/yy H:mm", "M/d/yy H:mm", true),
        ("yy/MM/dd HH:mm", "dd/MM/yy HH:mm", true), ("iso8601", "yyyy-dd-MM HH:mm", true),
        ("M/d/yyyy H:mm", "M/d/yyyy h:mm a", false),
        ("iso8601", "yyyy-MM-dd HH:mm", false), ("M/d/yyyy H:mm", "M/d/yy H:mm", false),
        ("d-MMM-yyyy H:mm", "d/M/yyyy H:mm", false), ("iso8601", "M/d/yyyy H:mm", false),
    ])
    func twoFormatsThatReadOneTextDifferentlyAreFound(
        first: String,
        second: String,
        isConflict: Bool
    ) throws {
        let (first, second) = (try TimeFormat(first), try TimeFormat(second))
        let found = first.conflict(with: second, needsTime: true)
        #expect((found != nil) == isConflict, "\(String(describing: found))")
        #expect((second.conflict(with: first, needsTime: true) != nil) == isConflict)
        if let found { #expect(found.first != found.second) }
    }

    @Test(arguments: [
        ("M/d/yyyy H:mm", "M/d/yyyy"), ("yyyyMMdd HHmm", "yyyyMMdd"),
        ("yyyy-MM-dd'T'H:mm:ss", "yyyy-MM-dd"), ("d MMM yyyy, h:mm a", "d MMM yyyy"),
        ("H:mm M/d/yyyy", nil), ("M/d/yyyy", nil), ("iso8601", nil),
    ])
    func theDayOfAFormatStandsBeforeItsHour(text: String, day: String?) throws {
        let format = try TimeFormat(text)
        #expect(format.day == day)
        #expect(format.readsDays == (text == "iso8601" || !format.readsTime))
    }

    /// The slow twin reads the same text behind a day, by the two formats of it.
    @Test func aTimeOfDayIsReadAsBehindADay() throws {
        let formats = [try TimeFormat("yyyy-MM-dd H:mm"), try TimeFormat("yyyy-MM-dd H:mm:ss")]
        let hours = ["", "0", "6", "06", "006", "19", "23", "24", "x", "-1"]
        let others = ["", "0", "00", "07", "59", "60", "007", "7x"]
        for hour in hours {
            for minute in others {
                for text in ["\(hour):\(minute)"] + others.map({ "\(hour):\(minute):\($0)" }) {
                    let found = Array(text.utf8).withUnsafeBufferPointer {
                        TimeFormat.secondsOfDay($0)
                    }
                    let wanted = formats.compactMap { format in
                        Array("1970-01-01 \(text)".utf8).withUnsafeBufferPointer {
                            format.read($0, needsTime: true)?.seconds
                        }
                    }
                    #expect(found == wanted.first, "\(text)")
                }
            }
        }
    }
}
