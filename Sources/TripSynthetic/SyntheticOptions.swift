public import TripDomain

/// How generated exports are laid out.
public enum SyntheticLayout: String, Sendable, CaseIterable {
    /// One record per trip, ISO 8601 times with offset.
    case native
    /// The older export: other names and order, US dates without offset, dollar signs.
    case legacy
    /// Legacy for the first third of the months, native for the others.
    case mixed
}

/// How generated exports are packed.
public enum SyntheticPacking: String, Sendable, CaseIterable {
    /// Plain CSV.
    case plain
    /// Every file as gzip.
    case gzip
    /// Every second file as gzip.
    case alternating
}

/// The options of generated exports.
///
/// The same options give the same bytes for any number of threads.
public struct SyntheticOptions: Sendable, Hashable {
    /// The seed of `data/reference`.
    public static let defaultWorldSeed: UInt64 = SyntheticWorld.defaultSeed
    /// The earliest month: the rule for daylight time is in force since 2007.
    public static let firstMonth = Month(year: ZoneClock.firstYear, month: 1)

    /// The number of trips, without the lines that `hasFaults` plants.
    public var tripCount: Int
    /// The number of months of exports, the last one included.
    public var monthCount: Int
    /// The seed of the trips.
    public var seed: UInt64
    /// The last month with pick-ups; its export is dated early in the next.
    public var lastMonth = Month(year: 2026, month: 10)
    /// The seed of stations' supplies, providers, contracts and vehicles.
    public var worldSeed: UInt64 = SyntheticOptions.defaultWorldSeed
    /// The number of exports per month, 1 to 28.
    public var filesPerMonth = 1
    /// How exports are laid out.
    public var layout = SyntheticLayout.native
    /// How exports are packed.
    public var packing = SyntheticPacking.plain
    /// Whether known numbers of bad records, repeats and corrections are planted.
    public var hasFaults = false

    /// Describes exports without faults.
    ///
    /// - Parameters:
    ///   - tripCount: The number of trips, at least one per export file.
    ///   - monthCount: The number of months of exports, at least 1.
    ///   - seed: The seed of the trips.
    public init(tripCount: Int, monthCount: Int, seed: UInt64) {
        self.tripCount = tripCount
        self.monthCount = monthCount
        self.seed = seed
    }

    /// The options of `data/sample`.
    public static var sample: SyntheticOptions {
        var options = SyntheticOptions(tripCount: 4000, monthCount: 18, seed: 18)
        options.layout = .mixed
        options.packing = .alternating
        options.hasFaults = true
        return options
    }

    /// The fault of the options as a sentence; nil where they can be used.
    public var problem: String? {
        let first = Int(lastMonth.monthNumber) - monthCount + 1
        if !(1...2400).contains(monthCount) { return "the number of months must be 1 to 2,400" }
        if first < Int(Self.firstMonth.monthNumber) {
            return "exports can begin in 2007, not before"
        }
        if lastMonth.year > 2099 { return "exports can end in 2099, not after" }
        if !(1...28).contains(filesPerMonth) { return "there can be 1 to 28 files per month" }
        if tripCount < monthCount * filesPerMonth {
            return "there must be at least one trip per file"
        }
        if tripCount > 800_000_000 { return "there can be at most 800,000,000 trips" }
        return nil
    }
}

/// A file or folder of generated exports that cannot be written.
public struct SyntheticFault: Error, Sendable {
    /// The file or folder.
    public let path: String
    /// What was found, as the rest of a sentence whose subject is the file or folder.
    public let finding: String
    /// What to do.
    public let remedy: String

    init(path: String, finding: String, remedy: String) {
        self.path = path
        self.finding = finding
        self.remedy = remedy
    }
}
