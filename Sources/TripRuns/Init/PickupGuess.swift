import TripDomain
import TripEngine

/// Which column, or which two, hold the time of the pick-up.
struct PickupGuess: Sendable {
    private let profiles: [ColumnProfile]

    /// Words of the pick-up, and of other times that may stand for it.
    private static let words = [
        ("pick up", 20), ("pickup", 20), ("pu", 18), ("on scene", 9), ("at scene", 9),
        ("onscene", 9), ("depart", 8), ("departed", 8), ("departure", 8), ("begin", 8),
        ("start", 8), ("transport", 8), ("service", 8), ("svc", 8), ("dos", 8), ("from", 7),
        ("trip", 6), ("run", 6), ("call", 6), ("incident", 6), ("dispatch", 6), ("dispatched", 6),
        ("response", 5), ("scheduled", 3), ("requested", 3), ("date", 2), ("datetime", 2),
        ("time", 1), ("day", 1),
    ]
    /// Words of days that are none of a transport.
    private static let otherWords = [
        "paid", "payment", "received", "billed", "bill", "export", "exported", "created",
        "updated", "modified", "entered", "invoice", "processed", "adjudicated", "posted", "due",
        "expires", "expiry", "valid", "thru", "through", "to", "end", "ended", "drop", "dropoff",
        "destination", "arrival", "arrived", "arrive", "closed", "cleared", "clear", "return",
        "available", "completed", "in service", "check", "remit",
    ]
    /// Words that say nothing of which day or time is meant.
    private static let plainWords: Set<String> = [
        "date", "time", "day", "at", "of", "the", "tm", "dt",
    ]

    private struct Candidate {
        let day: ColumnProfile
        let time: (profile: ColumnProfile, format: String, reads: [Bool])?
        let reading: TimeReading
        let score: Int
    }

    /// Prepares to look for the pick-up.
    ///
    /// - Parameter profiles: The columns.
    init(_ profiles: [ColumnProfile]) {
        self.profiles = profiles
    }

    /// The field, with what was not decided about it.
    var field: DraftField {
        let candidates = self.candidates
        guard var best = candidates.first else {
            return DraftField(
                name: "pickup_at",
                type: .timestamp,
                evidence: "no column reads as days, written in up to three ways, in half of the "
                    + "records",
                question: spreadsheetDays.map { Self.spreadsheetQuestion($0) }
                    ?? "no column reads as a day and a time: name it with its `formats`",
                isComment: true
            )
        }
        for one in candidates where one.score > best.score { best = one }
        let rivals = candidates.filter { $0.score == best.score && $0.day.index != best.day.index }
        var field = draft(best)
        var questions: [String] = []
        if let rival = rivals.first {
            questions.append("\(rival.day.shown) could be the pick-up as well as \(field.source)")
            if let both = firstReadable(best, rival) { questions.append(both) }
        } else if best.score < 2, candidates.count > 1 {
            questions.append("no name says which of \(candidates.count) times is the pick-up")
        } else if best.score < 0 {
            questions.append("the name of \(best.day.shown) says that it is another time")
        }
        if let days = spreadsheetDays, Self.score(days) > best.score {
            questions.append(Self.spreadsheetQuestion(days))
        }
        if let twin = best.reading.twin {
            let time = best.time.map { " " + $0.format } ?? ""
            questions.append(
                "month and day cannot be told apart, since no day is after the 12th: if the day "
                    + "comes first, write `\(twin)\(time)`"
            )
        }
        if best.reading.hasInstants {
            questions.append(
                "times are written for UTC: `time_zone` decides the month they count in"
            )
        }
        field.question = questions.isEmpty ? nil : questions.joined(separator: "; ")
        return field
    }

    /// Two columns of which the first that can be read is taken, where the second stands in for
    /// cells of the first; nil where it does so in less than half of them, or where one has a time
    /// of its own.
    private func firstReadable(_ first: Candidate, _ second: Candidate) -> String? {
        guard first.time == nil, second.time == nil, first.reading.take == second.reading.take,
            first.reading.hasTime == second.reading.hasTime
        else { return nil }
        let reads = [first, second].map { flags(of: $0.day.column, $0.reading) }
        let codes = zip(first.day.column.codes, second.day.column.codes)
        let open = codes.count { !reads[0][Int($0.0)] }
        let filled = codes.count { !reads[0][Int($0.0)] && reads[1][Int($0.1)] }
        guard open > 0, filled * 2 >= open else { return nil }
        let further = second.reading.formats.filter { !first.reading.formats.contains($0) }
        let formats = (first.reading.formats + further).map(YAMLWord.quoted)
        return "where \(first.day.shown) holds none, \(second.day.shown) does in "
            + "\(Counted.number(Int64(filled))) of \(Counted.text(open, "record")): for the first "
            + "that can be read write {from: {first: "
            + "\(YAMLWord.list([first.day.name, second.day.name]))}, "
            + "formats: [\(formats.joined(separator: ", "))]"
            + (first.reading.take.map { ", take: \(YAMLWord.quoted($0))" } ?? "")
            + (first.reading.hasTime ? "}" : ", day_alone: true}")
    }

    private var candidates: [Candidate] {
        profiles.compactMap { profile in
            guard !profile.isPersonal, let reading = profile.time,
                profile.filledCount * 2 >= profile.recordCount
            else { return nil }
            let time = reading.hasTime ? nil : partner(of: profile)
            let score = Self.score(profile) + (reading.hasTime || time != nil ? 4 : 0)
            return Candidate(day: profile, time: time, reading: reading, score: score)
        }
    }

    /// How much the name of a column is one of a pick-up.
    private static func score(_ profile: ColumnProfile) -> Int {
        profile.words.score(words.map { (phrase: $0.0, score: $0.1) })
            - (profile.words.hasAny(otherWords) ? 12 : 0)
    }

    /// The column of a day or time by its name, whose cells are the numbers of a spreadsheet.
    private var spreadsheetDays: ColumnProfile? {
        profiles.first { profile in
            !profile.isPersonal && profile.time == nil && profile.has(.spreadsheetDay, percent: 90)
                && profile.words.hasAny([
                    "date", "day", "time", "datetime", "dt", "pickup", "pick up",
                ])
                && Self.score(profile) > 0
        }
    }

    private static func spreadsheetQuestion(_ profile: ColumnProfile) -> String {
        "\(profile.shown) seems to hold days as the numbers of a spreadsheet, which are not read: "
            + "give the column a format of dates, such as 2026-10-31 06:30, and export it again"
    }

    /// The column with the time of the day that belongs to a day.
    private func partner(
        of day: ColumnProfile
    ) -> (profile: ColumnProfile, format: String, reads: [Bool])? {
        let dayWords = Set(day.words.text.split(separator: " ").map(String.init))
            .subtracting(Self.plainWords)
        var best: (profile: ColumnProfile, format: String, reads: [Bool])?
        var bestScore = Int.min
        for profile in profiles where profile.index != day.index && !profile.isPersonal {
            guard profile.time == nil, profile.filledCount * 2 >= profile.recordCount,
                let found = TimeReading.timeOfDay(in: profile.column),
                found.format.contains(":") || profile.words.hasAny(["time", "tm", "hour", "hhmm"])
            else { continue }
            let words = Set(profile.words.text.split(separator: " ").map(String.init))
            let shared = words.intersection(dayWords).count
            let isOther = profile.words.hasAny(Self.otherWords)
            let score =
                5 * shared + (profile.index == day.index + 1 ? 3 : 0) - (isOther ? 12 : 0)
                + profile.words.score(Self.words.map { (phrase: $0.0, score: $0.1) }) / 4
            if score > bestScore {
                best = (profile, found.format, found.reads)
                bestScore = score
            }
        }
        return best
    }

    private func draft(_ best: Candidate) -> DraftField {
        guard let time = best.time else {
            var field = DraftField(
                name: "pickup_at",
                columns: [best.day.name],
                type: .timestamp,
                formats: best.reading.formats,
                isDayAlone: !best.reading.hasTime,
                evidence: Self.reads(best.reading.formats)
                    + best.day.share(of: best.reading.readCount)
            )
            field.take = best.reading.take
            return field
        }
        let dayFormats = best.reading.formats.map { day in
            day == TimeFormat.iso8601Name ? "yyyy-MM-dd" : day
        }
        var formats = dayFormats.map { $0 + " " + time.format }
        let days = flags(of: best.day.column, best.reading)
        let codes = zip(best.day.column.codes, time.profile.column.codes)
        let reads = codes.count { days[Int($0)] && time.reads[Int($1)] }
        let alone = codes.count { days[Int($0)] && $1 == 0 }
        let blanks = codes.count { $0 == 0 || $1 == 0 } - alone
        let records = best.day.recordCount
        var share = ColumnProfile.share(
            of: reads + alone,
            others: records - reads - alone - blanks,
            blank: blanks,
            records: records
        )
        if alone > 0 {
            formats += dayFormats
            share += "; \(Counted.number(Int64(alone))) without a time, read as midnight"
        }
        var field = DraftField(
            name: "pickup_at",
            columns: [best.day.name, time.profile.name],
            type: .timestamp,
            formats: formats,
            isDayAlone: alone > 0,
            evidence: Self.reads(formats) + share
        )
        field.take = best.reading.take
        return field
    }

    /// `M/d/yyyy reads `.
    private static func reads(_ formats: [String]) -> String {
        formats.joined(separator: ", ") + (formats.count == 1 ? " reads " : " read ")
    }

    /// For each code of a column, whether one of the formats of its reading reads its text.
    private func flags(of column: SampleColumn, _ reading: TimeReading) -> [Bool] {
        let flags = reading.formats.map { format in
            TimeReading.flags(
                of: column,
                format: format,
                behindWeekday: reading.isBehindWeekday
            )
        }
        return flags.reduce([]) { left, right in
            left.isEmpty ? right : zip(left, right).map { $0 || $1 }
        }
    }
}
