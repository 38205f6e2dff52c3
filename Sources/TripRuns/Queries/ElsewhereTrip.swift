import Glibc
import TripDomain
import TripMart
import TripText

/// One trip of a generation whose trips lie elsewhere, read there by a program that reads Parquet.
///
/// Triptych itself reads none. Where DuckDB or Python with PyArrow is installed, it is asked for
/// the one row, as texts; classifying and explaining stay with the engine.
struct ElsewhereTrip {
    private let location: TripLocation
    private let ref: String

    /// - Parameters:
    ///   - location: Where the trips lie.
    ///   - ref: The reference of the trip, letters, digits, `-` and `_` alone.
    init(_ location: TripLocation, ref: TripRef) {
        (self.location, self.ref) = (location, ref.text)
    }

    /// What reading found.
    enum Answer {
        /// The texts of the columns of each row.
        case found([[String: String]])
        /// No trip has the reference.
        case none
        /// No program that reads Parquet is installed, or none could read the place.
        case unreadable
    }

    /// Asks one program after the other.
    ///
    /// - Returns: The first answer; ``Answer/unreadable`` where no program gives one.
    func read() -> Answer {
        for command in [duckdb, pyarrow] {
            guard let output = Self.output(of: command), let rows = Self.rows(output) else {
                continue
            }
            return rows.isEmpty ? .none : .found(rows)
        }
        return .unreadable
    }

    private var duckdb: String {
        // A sealed identifier has no text, and no place outside a mart. DuckDB 2 knows lambdas by
        // their word alone.
        let sql =
            "SELECT COLUMNS(lambda name: name <> 'patient_sealed')::VARCHAR "
            + "FROM \(location.duckdbTable) WHERE trip_ref = '\(ref)'"
        return "duckdb -json -c \(ShellWord.quoted(sql))"
    }

    private var pyarrow: String {
        let program = """
            import json, sys
            import pyarrow.dataset as d
            from pyarrow import fs
            uri, ref = sys.argv[1:]
            where, path = fs.FileSystem.from_uri(uri) if "://" in uri else (None, uri)
            trips = d.dataset(path, filesystem=where, format="parquet")
            names = [n for n in trips.schema.names if n != "patient_sealed"]
            rows = trips.to_table(columns=names, filter=d.field("trip_ref") == ref).to_pylist()
            text = lambda v: str(v).lower() if isinstance(v, bool) else str(v)
            print(json.dumps([{n: text(v) for n, v in r.items() if v is not None} for r in rows]))
            """
        // On one line: not every shell has a quotation for line feeds.
        let line = program.split(separator: "\n").joined(separator: "; ")
        return ["python3", "-c", line, location.folder ?? location.uri, ref].map {
            ShellWord.quoted($0)
        }
        .joined(separator: " ")
    }

    /// What a command prints; nil where it fails.
    private static func output(of command: String) -> [UInt8]? {
        // What it says of a failure may hold values of rows.
        guard let pipe = popen(command + " 2>/dev/null", "r") else { return nil }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            if count == 0 { break }
            output += buffer[..<count]
        }
        return pclose(pipe) == 0 ? output : nil
    }

    /// The rows of a JSON array of objects of texts; nil where it is none.
    private static func rows(_ output: [UInt8]) -> [[String: String]]? {
        // DuckDB prints nothing, or a bracket, where there is no row.
        let text = output.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        if text.isEmpty || text == Array("[]".utf8) || text == Array("[{]".utf8) { return [] }
        // Another form of output is no answer.
        guard let document = try? JSONDocument(output), case .list(let rows) = document else {
            return nil
        }
        return rows.map { row in
            guard case .object(let members) = row else { return [:] }
            return members.reduce(into: [:]) { texts, member in
                if case .text(let text) = member.value { texts[member.name] = text }
            }
        }
    }
}

extension MartQueries {
    /// The trip of an id or a reference, read where the trips lie.
    ///
    /// - Parameters:
    ///   - text: The id or the reference.
    ///   - location: Where the trips lie.
    ///   - served: The generation.
    /// - Returns: The trip; nil where there is none.
    /// - Throws: `MartError` with code `tripsElsewhere` where no program here can read them; of the
    ///   file.
    func elsewhere(
        _ text: String,
        _ location: TripLocation,
        in served: ServedMart
    ) throws -> TripDetail? {
        let keys = try keys()
        // A word that is no reference of this mart is an id.
        let id = (try? keys.tripID(of: TripRef(text: text))) ?? text
        guard !location.isGone else {
            throw MartError.tripsElsewhere(location, served.header.number)
        }
        switch ElsewhereTrip(location, ref: keys.ref(ofTrip: id)).read() {
        case .none: return nil
        case .unreadable: throw MartError.tripsElsewhere(location, served.header.number)
        case .found(let rows):
            guard rows.count == 1 else {
                throw RunError.otherTrips(
                    location,
                    served.header.number,
                    "in \(rows.count) rows, not in one as"
                )
            }
            guard let trip = try served.trip(id: id, texts: rows[0]) else {
                throw RunError.otherTrips(
                    location,
                    served.header.number,
                    "without a column, with one of another kind, or with a rule other than"
                )
            }
            return trip
        }
    }
}
