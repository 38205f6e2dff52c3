import TripDomain
import TripEngine
import TripRules

extension ExportsReading {
    /// One file that was read, with its classified trips.
    struct ReadFile: Sendable {
        let entry: FileRegister.Entry
        let summary: ExportSummary
        private(set) var content: FileContent
        /// Its rejects, with the file's index.
        private(set) var rejects: [Reject]

        init(entry: FileRegister.Entry, summary: ExportSummary, content: FileContent) {
            self.entry = entry
            self.summary = summary
            self.content = content
            rejects = summary.rejects
        }

        /// The same file with another index in order of exports.
        func numbered(_ index: Int) -> ReadFile {
            var copy = self
            copy.content.number(index)
            for reject in copy.rejects.indices { copy.rejects[reject].fileIndex = index }
            return copy
        }
    }

    /// What the run needs of the trips of one slice.
    struct SliceContent: Sendable {
        /// The trips, or their sums where none is kept.
        enum Trips: Sendable {
            case kept(PackedBatch)
            case addedUp(TripTotals)
        }

        let trips: Trips
        let overflows: Int
        let tallies: [TripClassifier.LookupTally]
        let regions: RegionComparison
        let reservedRecord: Int?

        init(
            _ outcome: TripClassifier.Outcome,
            _ classifier: TripClassifier,
            keepsTrips: Bool
        ) {
            trips =
                keepsTrips
                ? .kept(PackedBatch(outcome.batch))
                : .addedUp(
                    TripTotals(outcome.batch, shape: classifier.shape, rules: classifier.rules)
                )
            overflows = outcome.overflows
            tallies = outcome.tallies
            regions = outcome.regions
            reservedRecord = outcome.reservedRecord
        }
    }

    /// What the run needs of the trips of one file.
    struct FileContent: Sendable {
        /// Its trips, classified, slice by slice; empty where they are only summed up.
        private(set) var batches: [PackedBatch] = []
        /// The sums of its trips; nil where they are kept, or where it has none.
        private(set) var totals: TripTotals?
        /// Integer results of expressions that left 64 bits.
        private(set) var overflows = 0
        /// Per lookup, the number of trips that have its keys, and of those without a match.
        private(set) var lookupTallies: [TripClassifier.LookupTally]
        /// The regions compared with those that the export names.
        private(set) var regions = RegionComparison()
        /// The first record whose region or trip type would be the reserved word.
        private(set) var reservedRecord: Int?

        /// Creates an empty content.
        ///
        /// - Parameter lookupCount: The number of lookups.
        init(lookupCount: Int) {
            lookupTallies = Array(repeating: TripClassifier.LookupTally(), count: lookupCount)
        }

        /// Adds the next slice of the file.
        mutating func add(_ part: ExportPart<SliceContent>) {
            switch part.content.trips {
            case .kept(let batch):
                batches.append(
                    batch.raised(records: part.firstRecordNumber, lines: part.firstLineNumber)
                )
            case .addedUp(let sums):
                if totals == nil { totals = sums } else { totals?.add(sums) }
            }
            overflows += part.content.overflows
            for (lookup, tally) in part.content.tallies.enumerated() {
                lookupTallies[lookup] += tally
            }
            regions += part.content.regions
            if reservedRecord == nil, let index = part.content.reservedRecord {
                reservedRecord = part.firstRecordNumber + index
            }
        }

        /// Gives all trips another file index in order of exports.
        mutating func number(_ fileIndex: Int) {
            for batch in batches.indices { batches[batch].fileIndex = fileIndex }
        }
    }
}
