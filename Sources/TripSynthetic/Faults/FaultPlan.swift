import TripDomain

/// The plan of all planted lines, made before any file is written.
struct FaultPlan: Sendable {
    /// The number of trips per planted line of each kind.
    static let tripsPerFault = 4000
    static let leastPerKind = 2
    static let mostPerKind = 500
    /// Late trips took place four to eleven months before their export.
    private static let lateDays = 125...330

    /// The greatest number of months between a version of a trip and the next.
    private static let laterMonths = 5

    /// The planted lines of each file, in order of their positions.
    private(set) var insertions: [[Insertion]]
    /// All versions of every trip that has several, in order of exports.
    private(set) var groups: [[PlantedVersion]] = []
    /// The number of planted lines of each kind.
    private(set) var counts: [FaultKind: Int] = [:]
    /// Trips of the schedule that have further versions, by file.
    private(set) var sources: [Set<Int>]
    private let generator: TripGenerator
    private let isLegacy: [Bool]
    private var random: SeededRandom
    private var extraCount = 0

    init(options: SyntheticOptions, generator: TripGenerator, isLegacy: [Bool], isGzip: [Bool]) {
        self.generator = generator
        self.isLegacy = isLegacy
        let fileCount = generator.schedule.files.count
        insertions = [[Insertion]](repeating: [], count: fileCount)
        sources = [Set<Int>](repeating: [], count: fileCount)
        random = SeededRandom(seed: options.seed, stream: 5, index: 0)
        guard options.hasFaults else { return }
        let wanted = min(
            Self.mostPerKind,
            max(Self.leastPerKind, options.tripCount / Self.tripsPerFault)
        )
        for kind in FaultKind.allCases {
            switch kind {
            case .endlessRecord:
                // One line of a quarter of a megabyte is enough; in a gzip file it takes little.
                plantRecord(kind, file: isGzip.lastIndex(of: true) ?? fileCount - 1)
            case .quoteNeverClosed, .footer:
                // A file has only one last line, so these two kinds take turns.
                let parity = kind == .footer ? 0 : 1
                for file in stride(from: parity, to: fileCount, by: 2).prefix(wanted) {
                    plantRecord(kind, file: file)
                }
            default:
                for _ in 0..<wanted { plant(kind) }
            }
        }
        for file in insertions.indices {
            insertions[file].sort { ($0.ordinal, $0.sequence) < ($1.ordinal, $1.sequence) }
        }
        for index in groups.indices { groups[index].sort { $0.isBefore($1) } }
    }

    private mutating func plant(_ kind: FaultKind) {
        if kind.outcome == .version || kind == .rejectedCorrection {
            // A trip in the last file of its layout has no later file, so another one is tried.
            for _ in 0..<20 where plantVersions(kind) { return }
        } else {
            plantRecord(kind, file: random.below(insertions.count))
        }
    }

    /// Plants a line that is a trip of its own, or would be.
    private mutating func plantRecord(_ kind: FaultKind, file: Int) {
        let last = generator.schedule.cells.last { $0.fileIndex == file && $0.lag == 0 }
        guard let days = last?.days else { return }
        var trip: SyntheticTrip
        repeat {
            var drawnDays = days
            if kind == .lateTrip {
                let late = Int32(Self.lateDays.lowerBound + random.below(Self.lateDays.count))
                drawnDays = (days.lowerBound - late)...(days.lowerBound - late)
            }
            trip = generator.extraTrip(extraCount, days: drawnDays)
            extraCount += 1
        } while !hasFixedClass(trip)
        trip = unquoted(trip)
        if kind == .refund {
            trip.paidCents = trip.paidCents == SyntheticTrip.blankAmount ? -12_500 : -trip.paidCents
        }
        add(Insertion(ordinal: ordinal(of: kind, file: file), kind: kind, trip: trip), to: file)
    }

    private mutating func ordinal(of kind: FaultKind, file: Int) -> Int {
        let count = generator.schedule.files[file].tripCount
        return kind.isAtEnd ? count : random.below(max(1, count))
    }

    @discardableResult
    private mutating func add(_ insertion: Insertion, to file: Int) -> Insertion {
        var added = insertion
        // The line that ends a file comes after all others.
        added.sequence = insertion.kind.isAtEnd ? .max : insertions[file].count
        insertions[file].append(added)
        counts[insertion.kind, default: 0] += 1
        return added
    }

    /// Whether class and basis of a trip are the same for any station, month and amount.
    ///
    /// That is so for VA's undated vehicles, and for vendors without contract whose number is on
    /// the roster.
    private func hasFixedClass(_ trip: SyntheticTrip) -> Bool {
        guard !trip.isInstant, trip.stationForm == .plain, trip.status == .completed,
            trip.code >= 0, trip.identifier >= 0,
            trip.identifier < generator.texts.firstUnlistedIdentifier
        else { return false }
        switch trip.truth {
        case .vaFleet:
            let ownUnits = generator.world.supplies[trip.stationIndex].ownUnits
            return trip.unit >= 0 && ownUnits.prefix(2).contains(trip.unit)
        case .noncontractVendor:
            return trip.contract < 0 && trip.paidCents > 0
                && (trip.unit < 0 || trip.unit >= generator.texts.firstUnlistedUnit)
        default:
            return false
        }
    }

    /// Chooses a trip of the schedule that has no other versions yet; nil where none is found.
    private mutating func source(before fileLimit: Int) -> PlantedVersion? {
        guard fileLimit > 0 else { return nil }
        for _ in 0..<400 {
            let file = random.below(fileLimit)
            let count = generator.schedule.files[file].tripCount
            guard count > 0 else { continue }
            let ordinal = random.below(count)
            let batch = generator.schedule.batch(fileIndex: file, ordinal: ordinal)
            let trip = generator.trip(batch: batch, number: ordinal - batch.ordinal)
            guard hasFixedClass(trip), sources[file].insert(ordinal).inserted else { continue }
            return PlantedVersion(
                fileIndex: file,
                ordinal: ordinal,
                isPlanted: false,
                label: 0,
                trip: trip
            )
        }
        return nil
    }

    private mutating func plantVersions(_ kind: FaultKind) -> Bool {
        // The number of later files the kind needs.
        let laterCount = kind == .repeatInFile ? 0 : kind == .correctedAndBack ? 2 : 1
        guard let source = source(before: insertions.count - laterCount) else { return false }
        var group = [source]
        let corrected = correction(of: source.trip, kind: kind)
        switch kind {
        case .repeatInFile:
            let count = generator.schedule.files[source.fileIndex].tripCount
            let ordinal = source.ordinal + 1 + random.below(count - source.ordinal)
            group.append(
                version(source.trip, kind, label: 0, file: source.fileIndex, ordinal: ordinal)
            )
        case .repeatInLaterFile, .repeatWrittenOtherwise:
            var trip = source.trip
            if kind == .repeatWrittenOtherwise {
                trip.isPadded = true
                trip.hasDollarSigns = true
                trip.stationForm = .lowerCase
            }
            let file = laterFile(source.fileIndex, sameLayout: true)
            guard let file else { return false }
            group.append(version(trip, kind, label: 0, file: file))
        case .correctedAndBack, .correctedAndRepeated:
            guard let second = laterFile(source.fileIndex, before: laterCount - 1) else {
                return false
            }
            group.append(version(corrected, kind, label: 1, file: second))
            if kind == .correctedAndRepeated {
                let count = generator.schedule.files[second].tripCount
                group.append(version(corrected, kind, label: 1, file: second, ordinal: count))
            } else if let third = laterFile(second) {
                group.append(version(source.trip, kind, label: 0, file: third))
            }
        case .rejectedCorrection:
            guard let file = laterFile(source.fileIndex) else { return false }
            _ = version(unquoted(corrected), kind, label: 1, file: file)
            return true
        default:
            guard let file = laterFile(source.fileIndex) else { return false }
            group.append(version(corrected, kind, label: 1, file: file))
        }
        groups.append(group)
        return true
    }

    /// Plants one more version of a trip.
    private mutating func version(
        _ trip: SyntheticTrip,
        _ kind: FaultKind,
        label: Int,
        file: Int,
        ordinal: Int? = nil
    ) -> PlantedVersion {
        let count = generator.schedule.files[file].tripCount
        let ordinal = ordinal ?? random.below(max(1, count))
        add(Insertion(ordinal: ordinal, kind: kind, trip: trip), to: file)
        return PlantedVersion(
            fileIndex: file,
            ordinal: ordinal,
            isPlanted: true,
            label: label,
            trip: trip
        )
    }

    /// A random file after another one; nil where there is none.
    ///
    /// - Parameters:
    ///   - file: The index of the other file.
    ///   - followingCount: The number of files that must follow the result.
    ///   - sameLayout: Whether both must have the same layout.
    /// - Returns: The index of the file.
    private mutating func laterFile(
        _ file: Int,
        before followingCount: Int = 0,
        sameLayout: Bool = false
    ) -> Int? {
        let filesPerMonth = insertions.count / generator.schedule.months.count
        let limit = min(
            insertions.count - followingCount,
            file + 1 + Self.laterMonths * filesPerMonth
        )
        let later = ((file + 1)..<max(file + 1, limit)).filter {
            !sameLayout || isLegacy[$0] == isLegacy[file]
        }
        return later.isEmpty ? nil : later[random.below(later.count)]
    }

    /// The trip with another amount, station or month.
    private func correction(of trip: SyntheticTrip, kind: FaultKind) -> SyntheticTrip {
        var corrected = trip
        switch kind {
        case .correctedStation:
            corrected.stationIndex = (trip.stationIndex + 23) % generator.world.stations.count
            corrected.regionIndex = generator.world.regionIndexes[corrected.stationIndex]
            generator.setOffset(&corrected, prefersSecond: false)
        case .correctedMonth:
            corrected.day = trip.day - 32
            generator.setOffset(&corrected, prefersSecond: false)
        default:
            let paid = trip.paidCents == SyntheticTrip.blankAmount ? 48_766 : trip.paidCents
            corrected.paidCents = paid + 1_234
        }
        return corrected
    }

    /// The trip without anything that needs quotes, because planted lines are split at commas.
    private func unquoted(_ trip: SyntheticTrip) -> SyntheticTrip {
        var unquoted = trip
        unquoted.name = SyntheticTrip.none
        unquoted.hasDollarSigns = false
        unquoted.billedCents = min(unquoted.billedCents, 99_999)
        unquoted.paidCents = min(unquoted.paidCents, 99_999)
        return unquoted
    }
}
