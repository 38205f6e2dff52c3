import Foundation
import TestSupport
import TripDomain

@testable import TripMart
@testable import TripRules
@testable import TripRuns

/// The slow reference: all trips of both generations in memory, and those of the earlier one read
/// again from their exports and classified by the later one's inputs.
struct PlainDifference {
    /// The cause of a difference; edits are taken together.
    enum Cause: CaseIterable {
        case edits
        case withdrawn
        case corrected
        case late
        case new
    }

    /// The contribution of one trip.
    private struct Trip: Hashable {
        let keys: [KPIDimension: String]
        let tripClass: TripClass
        let cost: Int64?
        let miles: Int64?
        let isCounted: Bool
        var day: String

        /// The contribution, independent of the day of its month; nil where the trip is not
        /// counted.
        static func adds(_ trip: Trip?) -> Trip? {
            guard var trip, trip.isCounted else { return nil }
            trip.day = ""
            return trip
        }
    }

    /// The change that a cause makes in a group.
    struct Change: Equatable {
        var trips: Int64 = 0
        var sums = KPISums()
    }

    private let first: [String: Trip]
    private let crossed: [String: Trip]
    private let second: [String: Trip]
    private let end: String

    init(_ first: ServedMart, _ second: ServedMart, _ night: RunFolder) throws {
        self.first = try Self.trips(first.file.path)
        self.second = try Self.trips(second.file.path)
        crossed = try Self.crossed(first, second, night)
        end = first.header.dataThrough?.text ?? ""
    }

    /// The trips of one generation's exports, classified by another generation's inputs.
    private static func crossed(
        _ first: ServedMart,
        _ second: ServedMart,
        _ night: RunFolder
    ) throws -> [String: Trip] {
        let place = try RunFolder()
        let folder = MartFolder(path: place.path + "/crossed")
        let building = MartFolder(path: place.path + "/building")
        for folder in [folder, building] { try folder.create() }
        let path = folder.historyPath(first.header.number)
        let mart = MartFolder(path: night.options().martPath)
        try FileManager.default.copyItem(
            atPath: mart.historyPath(first.header.number),
            toPath: path
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try SQLiteDump.execute(
            path,
            """
            ATTACH '\(mart.historyPath(second.header.number))' AS other;
            DELETE FROM generation_input;
            INSERT INTO generation_input SELECT * FROM other.generation_input;
            """
        )
        try keepInForce(path, on: second.header.dataThrough?.text ?? "")
        guard let keys = try MartKeys.open(keyFile: night.options().keyFilePath, for: mart) else {
            return [:]
        }
        let built = try Rebuild(
            of: PublishedCube.open(folder, generation: first.header.number),
            number: first.header.number,
            archive: Archive(mart),
            night.options(),
            progress: Progress()
        ).write(to: building, keys: keys)
        return try trips(built.path)
    }

    /// Changes the end of overrides: those in force on the later generation's last day never
    /// expire, and all others have always been expired.
    private static func keepInForce(_ path: String, on day: String) throws {
        let connection = try RawConnection(path: path, mode: .immutable)
        let kept = try connection.prepare(
            "SELECT CAST(content AS TEXT) FROM generation_input WHERE role = 'override'"
        )
        guard try kept.step() else { return }
        let lines = kept.text(0).split(separator: "\n")
        let settled = lines.enumerated().map { index, line in
            let isInForce = day <= line.suffix(day.count)
            return index == 0 ? line : line.dropLast(10) + (isInForce ? "2199-12-31" : "1901-01-01")
        }
        try SQLiteDump.execute(
            path,
            """
            UPDATE generation_input SET content = CAST('\(settled.joined(separator: "\n"))' AS BLOB)
            WHERE role = 'override'
            """
        )
    }

    private static func trips(_ path: String) throws -> [String: Trip] {
        let connection = try RawConnection(path: path, mode: .immutable)
        let hasMiles = try connection.integer(
            "SELECT count(*) FROM trip_column WHERE name = 'miles_hundredths'"
        )
        let cost = "(SELECT name FROM trip_column WHERE role = 'cost')"
        let names = try connection.prepare("SELECT \(cost)")
        guard try names.step() else { return [:] }
        let statement = try connection.prepare(
            """
            SELECT trip_id, month, trip_type, region, class, basis, counted, date(pickup_at),
                \(names.value(0) == .null ? "NULL" : names.text(0)),
                \(hasMiles == 0 ? "NULL" : "miles_hundredths")
            FROM trip
            """
        )
        var trips: [String: Trip] = [:]
        while try statement.step() {
            let month = Month(text: statement.text(1))
            trips[statement.text(0)] = Trip(
                keys: [
                    .month: statement.text(1), .tripType: statement.text(2),
                    .region: statement.text(3), .tripClass: statement.text(4),
                    .basis: statement.text(5), .fiscalYear: "\(month?.fiscalYear ?? 0)",
                    .year: "\(month?.year ?? 0)",
                ],
                tripClass: TripClass(word: statement.text(4)) ?? .undetermined,
                cost: statement.value(8) == .null ? nil : statement.integer(8),
                miles: statement.value(9) == .null ? nil : statement.integer(9),
                isCounted: statement.integer(6) == 1,
                day: statement.text(7)
            )
        }
        return trips
    }

    /// The change of each cause, by groups.
    func changes(by dimensions: [KPIDimension]) -> [Cause: [[String]: Change]] {
        var changes: [Cause: [[String]: Change]] = [:]
        func add(_ cause: Cause, _ before: Trip?, _ after: Trip?) {
            let (before, after) = (Trip.adds(before), Trip.adds(after))
            guard before != after else { return }
            func keys(_ trip: Trip) -> [String] { dimensions.map { trip.keys[$0] ?? "" } }
            func sums(_ trip: Trip) -> KPISums {
                let isSplit = dimensions.contains(.tripClass) || dimensions.contains(.basis)
                var sums = KPISums()
                sums.add(
                    tripClass: trip.tripClass,
                    cost: trip.cost,
                    miles: isSplit ? nil : trip.miles
                )
                return sums
            }
            for group in Set([before, after].compactMap { $0.map(keys) }) {
                changes[cause, default: [:]][group, default: Change()].trips += 1
            }
            if let before { changes[cause]?[keys(before)]?.sums -= sums(before) }
            if let after { changes[cause]?[keys(after)]?.sums += sums(after) }
        }
        for (id, trip) in first {
            add(.edits, trip, crossed[id])
            add(second[id] == nil ? .withdrawn : .corrected, crossed[id], second[id])
        }
        for (id, trip) in second where first[id] == nil {
            add(trip.day <= end ? .late : .new, nil, trip)
        }
        return changes
    }
}
