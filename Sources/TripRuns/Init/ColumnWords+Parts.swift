/// Names that are written without marks between their words, as `PUDATE` and `lastname`.
extension ColumnWords {
    private static let parts: Set = [
        // What has a number or a day.
        "trip", "run", "claim", "incident", "call", "transport", "ride", "case", "pcr", "dispatch",
        "order", "request", "job", "record", "event", "service", "svc", "pickup", "pick", "up",
        "pu", "dropoff", "scene", "start", "of",
        // Numbers, days and amounts.
        "id", "no", "nr", "num", "nbr", "number", "key", "ref", "control", "code", "date", "time",
        "day", "datetime", "dt", "tm", "dos", "paid", "payment", "allowed", "cost", "amount", "amt",
        "charge", "charges", "billed", "price", "fee", "total", "miles", "mileage", "loaded",
        // Codes.
        "level", "type", "los", "region", "county", "cnty", "rgn", "district", "zone", "station",
        "site", "city", "state", "owner", "vendor", "contractor", "agency", "company", "provider",
        "unit", "vehicle", "crew", "status", "facility", "hospital", "destination", "origin",
        // Persons.
        "patient", "pat", "pt", "member", "subscriber", "insured", "veteran", "passenger", "rider",
        "client", "customer", "name", "nm", "first", "last", "middle", "full", "dob", "birth",
        "address", "addr", "street", "phone", "zip", "postal", "email", "age", "sex", "driver",
        "medic", "notes", "mrn", "ssn", "caller",
    ]

    /// The fewest known words that a word consists of; the word itself where it is one, or is not
    /// made of known words alone.
    static func parts(of word: String) -> [String] {
        let letters = Array(word)
        guard (4...30).contains(letters.count), !parts.contains(word) else { return [word] }
        // The fewest parts of each beginning of the word.
        var fewest: [[String]?] = [[]]
        for end in 1...letters.count {
            var best: [String]?
            for start in 0..<end {
                let part = String(letters[start..<end])
                guard let before = fewest[start], parts.contains(part) else { continue }
                if before.count + 1 < best?.count ?? .max { best = before + [part] }
            }
            fewest.append(best)
        }
        return fewest[letters.count] ?? [word]
    }
}
