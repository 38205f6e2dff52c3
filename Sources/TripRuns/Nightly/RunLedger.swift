import TripDomain
import TripEngine
import TripMart

/// The account of a run: every item of every file, and the ledger term it belongs to.
struct RunLedger {
    /// Per file, its ledger.
    let ledgers: [Ledger]
    /// Valid versions that are not accepted.
    let versions: [TripVersion]
    /// Rejects of files that are in force, in order of exports, and the places of their raw
    /// records, where those are kept.
    let rejects: [Reject]
    let rejectTexts: [RejectSpool.Place]

    /// Computes the account.
    ///
    /// - Parameters:
    ///   - exports: All files read.
    ///   - trips: The trips of files in force; nil where they were only summed up, so that every
    ///     valid trip is accepted.
    ///   - shape: The columns of a trip.
    init(_ exports: ClassifiedExports, _ trips: ResolvedTrips?, shape: TripShape) {
        let files = exports.files
        var ledgers = files.map { file in
            var ledger = Ledger()
            ledger.read = file.summary.read
            return ledger
        }
        var rejects: [Reject] = []
        var rejectTexts: [RejectSpool.Place] = []
        rejects.reserveCapacity(files.reduce(0) { $0 + $1.rejects.count })
        for (index, file) in files.enumerated() {
            guard exports.isCurrent[index] else {
                ledgers[index][.withdrawn] = Self.contents(of: file, shape: shape)
                continue
            }
            for reject in file.rejects {
                ledgers[index][.rejected] += Self.amount(of: reject)
            }
            rejects += file.rejects
            rejectTexts += file.rejectTexts
        }
        let lines = ClaimLineAccount(exports, terms: Self.termsOfLineTrips(exports, trips))
        let accepted = Self.accepted(exports, trips, shape: shape)
        for (file, amount) in accepted.enumerated() where amount.items > 0 {
            ledgers[file][.accepted] = amount
            ledgers[file][.accepted].cents -= lines.acceptedCents[file]
        }
        for line in lines.versions {
            ledgers[line.fileIndex][line.term] +=
                LedgerAmount(items: 1, cents: line.amountCents ?? 0)
        }
        for (index, file) in files.enumerated()
        where exports.isCurrent[index] && !file.summary.repetitions.isEmpty {
            ledgers[index][.duplicate] += Self.amount(of: file.summary.repetitions)
        }
        let batches = trips?.batches ?? []
        let setAside = (trips?.resolution.setAside ?? []).map { position, term in
            let batch = batches[Int(position.batch)]
            let row = Int(position.row)
            let merged = lines.centsOfTrip[Self.key(of: batch, row: row)]
            ledgers[batch.fileIndex][term] += Self.amount(of: batch, row: row, shape: shape)
            ledgers[batch.fileIndex][term].cents -= merged ?? 0
            var version = TripVersion(batch, row: row, term, shape: shape)
            if let merged { version.amountCents? -= merged }
            return version
        }
        versions = Self.byTrip(
            setAside,
            repetitions: lines.versions + Self.repetitions(in: exports)
        )
        self.ledgers = ledgers
        Self.identify(&rejects, batches: batches, shape: shape)
        self.rejects = rejects
        self.rejectTexts = rejectTexts
    }

    /// The trips joined from lines that another trip of their id replaced, with their terms.
    private static func termsOfLineTrips(
        _ exports: ClassifiedExports,
        _ trips: ResolvedTrips?
    ) -> [ClaimLine.Place: LedgerTerm] {
        guard let trips, exports.files.contains(where: { !$0.content.lines.isEmpty })
        else { return [:] }
        return trips.resolution.setAside.reduce(into: [:]) { terms, version in
            let batch = trips.batches[Int(version.position.batch)]
            terms[key(of: batch, row: Int(version.position.row))] = version.term
        }
    }

    private static func key(of batch: PackedBatch, row: Int) -> ClaimLine.Place {
        ClaimLine.Place(file: batch.fileIndex, record: Int(batch.recordNumbers[row]))
    }

    /// The accepted items of each file in force.
    private static func accepted(
        _ exports: ClassifiedExports,
        _ trips: ResolvedTrips?,
        shape: TripShape
    ) -> [LedgerAmount] {
        var accepted = [LedgerAmount](repeating: LedgerAmount(), count: exports.files.count)
        guard let trips else {
            for file in exports.files.indices where exports.isCurrent[file] {
                accepted[file] = exports.files[file].content.totals?.amount ?? LedgerAmount()
            }
            return accepted
        }
        for (index, batch) in trips.batches.enumerated() {
            let leftOut = trips.resolution.accepted.leftOut(batch: index)
            let view = KPIView(batch, shape: shape)
            for row in 0..<batch.count where leftOut.isEmpty || !leftOut[row] {
                accepted[batch.fileIndex].items += 1
                accepted[batch.fileIndex].cents += view.cost(row) ?? 0
            }
        }
        return accepted
    }

    /// The contents of a withdrawn file, counted from its trips and rejects, not from `read`.
    private static func contents(
        of file: ExportsReading.ReadFile,
        shape: TripShape
    ) -> LedgerAmount {
        var amount = LedgerAmount()
        for reject in file.rejects { amount += self.amount(of: reject) }
        amount += self.amount(of: file.summary.repetitions)
        if let reported = file.content.reported { return amount + reported.valid }
        if let totals = file.content.totals { amount += totals.amount }
        for batch in file.content.batches {
            for row in 0..<batch.count { amount += self.amount(of: batch, row: row, shape: shape) }
        }
        return amount
    }

    private static func amount(of reject: Reject) -> LedgerAmount {
        LedgerAmount(
            items: Int64(reject.itemCount),
            cents: reject.amountCents ?? 0,
            unpriced: reject.isUnpriced ? Int64(reject.itemCount) : 0
        )
    }

    /// A unit that is listed again has no amount of its own: the shares of the others are all.
    private static func amount(of repetitions: [RepeatedUnit]) -> LedgerAmount {
        LedgerAmount(items: repetitions.reduce(0) { $0 + Int64($1.count) })
    }

    /// The units listed more than once by files in force, as versions: one for each further time.
    private static func repetitions(in exports: ClassifiedExports) -> [TripVersion] {
        exports.files.indices.filter { exports.isCurrent[$0] }.flatMap { index in
            exports.files[index].summary.repetitions.flatMap { unit in
                repeatElement(
                    TripVersion(
                        tripID: unit.tripID,
                        term: .duplicate,
                        fileIndex: index,
                        recordNumber: unit.recordNumber,
                        lineNumber: unit.lineNumber,
                        amountCents: nil
                    ),
                    count: unit.count
                )
            }
        }
    }

    /// The versions trip by trip, as they are numbered: of each trip, the repetitions come last.
    private static func byTrip(
        _ versions: [TripVersion],
        repetitions: [TripVersion]
    ) -> [TripVersion] {
        guard !repetitions.isEmpty else { return versions }
        return (versions + repetitions).enumerated()
            .sorted { left, right in
                let (first, second) = (left.element.tripID.utf8, right.element.tripID.utf8)
                return first.elementsEqual(second)
                    ? left.offset < right.offset : first.lexicographicallyPrecedes(second)
            }
            .map(\.element)
    }

    private static func amount(of batch: PackedBatch, row: Int, shape: TripShape) -> LedgerAmount {
        LedgerAmount(items: 1, cents: batch.cents(row: row, shape: shape) ?? 0)
    }

    /// Leaves each reject its trip id only where that id is known, and marks those that would have
    /// corrected a trip.
    ///
    /// The columns of a rejected record may be shifted, so that its id column can hold anything,
    /// even a patient's identifier. An id that some valid trip has is certainly a trip id. A line
    /// of a claim without its base line corrects nothing: it is a part that fits nowhere.
    private static func identify(
        _ rejects: inout [Reject],
        batches: [PackedBatch],
        shape: TripShape
    ) {
        var search = TripIDSearch(rejects.lazy.compactMap(\.tripID))
        search.search(batches, column: shape.tripIDIndex)
        for index in rejects.indices {
            guard let last = rejects[index].tripID.flatMap(search.lastRecord(of:)) else {
                rejects[index].tripID = nil
                continue
            }
            guard rejects[index].reason != .orphanLine else { continue }
            rejects[index].isCorrection =
                (last.fileIndex, last.recordNumber)
                < (rejects[index].fileIndex, rejects[index].recordNumber)
        }
    }
}

extension PackedBatch {
    /// The amount of a row; nil where it is not known, or the pipeline has none.
    fileprivate func cents(row: Int, shape: TripShape) -> Int64? {
        shape.costIndex.flatMap { columns[$0].integers.value(row) }
    }
}

extension TripVersion {
    /// A row of a batch as a version of its trip.
    init(_ batch: PackedBatch, row: Int, _ term: LedgerTerm, shape: TripShape) {
        self.init(
            tripID: batch.columns[shape.tripIDIndex].texts.string(row: row) ?? "",
            term: term,
            fileIndex: batch.fileIndex,
            recordNumber: Int(batch.recordNumbers[row]),
            lineNumber: Int(batch.lineNumbers[row]),
            amountCents: batch.cents(row: row, shape: shape)
        )
    }
}
