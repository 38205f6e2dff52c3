import HTTPTypes
import Hummingbird

extension Request {
    /// Whether its sender prefers a page to JSON (RFC 9110 §12.5.1).
    ///
    /// Browsers name HTML; a client that accepts everything alike is a program.
    var prefersPages: Bool {
        weight(of: "text/html")
            > max(weight(of: "application/problem+json"), weight(of: "application/json"))
    }

    /// Whether its sender prefers CSV to JSON.
    var prefersCSV: Bool { weight(of: "text/csv") > weight(of: "application/json") }

    /// The weight of a type, from 0 to 1, by the most specific entry: its own name, that of its
    /// kind, or the one of all.
    private func weight(of type: String) -> Double {
        let kind = type.prefix { $0 != "/" }
        let names = ["*/*", "\(kind)/*", type]
        var found = (rank: 0, weight: 0.0)
        for entry in headers[values: .accept].flatMap({ $0.split(separator: ",") }) {
            let parts = entry.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard let name = parts.first, let rank = names.firstIndex(of: name),
                rank >= found.rank
            else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map {
                Double($0.dropFirst(2))
            }
            // A weight that cannot be read is none.
            found = (rank, (weight ?? 1) ?? 0)
        }
        return found.weight
    }
}
