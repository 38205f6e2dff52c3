import HTTPTypes
import Hummingbird

extension Request {
    /// Whether its sender prefers a page to JSON (RFC 9110 §12.5.1).
    ///
    /// Browsers name HTML; a client that accepts everything alike is a program.
    var prefersPages: Bool {
        prefers("text/html", to: ["application/problem+json", "application/json"])
    }

    /// Whether its sender prefers CSV to JSON.
    var prefersCSV: Bool { prefers("text/csv", to: ["application/json"]) }

    /// Whether a type weighs more than others.
    ///
    /// Of equal weights, which are the server's choice, the one that is named more exactly goes
    /// first: `text/csv, */*` asks for CSV.
    private func prefers(_ type: String, to others: [String]) -> Bool {
        let own = preference(for: type)
        return own.weight > 0 && others.allSatisfy { own > preference(for: $0) }
    }

    /// The weight of a type in thousandths, by the most specific entry: its own name, that of its
    /// kind, or the one of all; and how specific that is.
    private func preference(for type: String) -> (weight: Int, rank: Int) {
        let kind = type.prefix { $0 != "/" }
        let names = ["*/*", "\(kind)/*", type]
        var found = (weight: 0, rank: 0)
        for entry in headers[values: .accept].flatMap({ $0.split(separator: ",") }) {
            let parts = entry.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard let name = parts.first, let rank = names.firstIndex(of: name),
                rank >= found.rank
            else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
            found = (weight.map { Self.thousandths($0.dropFirst(2)) } ?? 1000, rank)
        }
        return found
    }

    /// A weight in thousandths.
    ///
    /// It is 0 or 1 with at most three decimals, and not above 1. Any other text weighs nothing.
    private static func thousandths(_ text: Substring) -> Int {
        let bytes = Array(text.utf8)
        let digits = bytes.prefix(1) + bytes.dropFirst(2)
        guard (1...4).contains(digits.count), bytes.count < 2 || bytes[1] == UInt8(ascii: "."),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return 0 }
        let value = (0..<4).reduce(0) { value, index in
            value * 10 + (index < digits.count ? Int(digits[index] - UInt8(ascii: "0")) : 0)
        }
        return value <= 1000 ? value : 0
    }
}
