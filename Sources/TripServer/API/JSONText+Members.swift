import TripDomain
import TripMart
import TripText

extension JSONText {
    /// A text, or null where there is none.
    mutating func text(_ name: JSONName, _ value: String?) {
        if let value { self.value(name, value) } else { null(name) }
    }

    /// A whole number, or null where it is not known or hidden.
    mutating func count(_ name: JSONName, _ value: Int64?) {
        if let value { self.value(name, Int(value)) } else { null(name) }
    }

    /// The members that say where an answer comes from.
    ///
    /// - Parameters:
    ///   - generation: The generation.
    ///   - months: Its months that the reader may know of; open ones are named.
    ///   - isStale: Whether an export is overdue.
    mutating func origin(
        _ generation: ServedGeneration,
        months: [Month],
        isStale: Bool
    ) {
        let header = generation.header
        publication(header)
        text("data_through", header.dataThrough?.text)
        value("stale", isStale)
        value("synthetic", header.isSynthetic)
        array("open_months") { json in
            for month in months where generation.isOpen(month) { json.value(nil, month.text) }
        }
    }

    /// The members that name a generation.
    mutating func publication(_ header: GenerationHeader) {
        value("generation", header.number)
        value("as_of", Self.dateTime(header.publishedAt))
    }

    /// When the next export is due; an export that is late keeps the time at which it was.
    mutating func nextExpected(_ generation: ServedGeneration) {
        text("next_expected", generation.header.staleAfter.map { Self.dateTime($0) + "Z" })
    }

    /// What was asked for.
    mutating func filter(_ filter: ServedFilter) {
        object("filter") { json in
            let (from, to) = (filter.months?.lowerBound, filter.months?.upperBound)
            json.text("from", from == ServedFilter.firstMonth ? nil : from?.text)
            json.text("to", to == ServedFilter.lastMonth ? nil : to?.text)
            json.text("trip_type", filter.tripType)
            json.text("region", filter.region)
        }
    }

    /// `2026-11-20 02:14:07 -05:00` as RFC 3339 has it; UTC without an offset.
    private static func dateTime(_ published: String) -> String {
        var spaces = 0
        let bytes = published.utf8.compactMap { byte in
            guard byte == 0x20 else { return byte }
            spaces += 1
            return spaces == 1 ? 0x54 : nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
