/// The months of a filter as people write them: `2026-10`, `2026-01..2026-10`, or a range that is
/// open at one end, `2026-10..` and `..2026-10`.
public struct MonthFilter: Sendable, Hashable {
    /// Every month that a trip can have: time stamps lie between 1900 and 2199.
    public static let possible = Month(year: 1900, month: 1)...Month(year: 2199, month: 12)

    /// The months; an open end is the first or the last that a trip can have.
    public let months: ClosedRange<Month>

    /// Why a text names no months.
    public struct Fault: Error, Sendable, Hashable {
        /// What was found, and how months are written, in one or two sentences.
        public let message: String
    }

    private static let form =
        "Write a month, 2026-10, or a range: 2026-01..2026-10, 2026-10.. or ..2026-10."

    /// Reads a month or a range of months.
    ///
    /// - Parameter text: The text, without blanks around it.
    /// - Throws: ``Fault`` where the text is neither.
    public init(text: String) throws(Fault) {
        guard let dots = text.firstRange(of: "..") else {
            let month = try Self.month(text)
            months = month...month
            return
        }
        let (from, to) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        guard !from.isEmpty || !to.isEmpty else {
            throw Fault(message: "`..` names no month. \(Self.form)")
        }
        let first = from.isEmpty ? Self.possible.lowerBound : try Self.month(from)
        let last = to.isEmpty ? Self.possible.upperBound : try Self.month(to)
        guard first <= last else {
            throw Fault(
                message: "\(text) ends before it begins. Did you mean \(to)..\(from)?"
            )
        }
        months = first...last
    }

    private static func month(_ text: String) throws(Fault) -> Month {
        if let month = Month(text: text) {
            guard possible.contains(month) else {
                throw Fault(
                    message: "\(text) lies outside the months that trips can have, "
                        + "\(possible.lowerBound.text) to \(possible.upperBound.text)."
                )
            }
            return month
        }
        throw Fault(message: "'\(text)' is no month" + (reason(text) ?? ". \(form)"))
    }

    /// The year of `FY2026`, in any case; nil where a text is no such name.
    private static func fiscalYear(_ text: String) -> Int? {
        guard text.lowercased().hasPrefix("fy"), text.utf8.count == 6 else { return nil }
        return Int(text.dropFirst(2)).flatMap { (1901...2199).contains($0) ? $0 : nil }
    }

    /// Why a text is no month, where that is clear.
    private static func reason(_ text: String) -> String? {
        if let year = fiscalYear(text) {
            return " but a fiscal year. The federal one is \(year - 1)-10..\(year)-09."
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard isDigits, parts[0].utf8.count == 4 else { return nil }
        let year = parts[0]
        switch parts.count {
        case 1: return " but a year. Did you mean \(year)-01..\(year)-12?"
        case 2:
            guard let number = Int(parts[1]), (1...12).contains(number) else {
                return ": months go from \(year)-01 to \(year)-12."
            }
            return ". Did you mean \(year)-\(number < 10 ? "0" : "")\(number)?"
        case 3:
            guard CivilDate(text: text) != nil else { return nil }
            return " but a day. Did you mean \(year)-\(parts[1])?"
        default: return nil
        }
    }
}
