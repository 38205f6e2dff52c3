import TripDomain

/// Writes one export and counts its contents.
struct ExportFileWriter: Sendable {
    /// The differences of an export that is sent again from its first sending.
    struct Revision: Sendable {
        /// One trip in 37 is left out.
        static let leftOutEvery = 37
        /// One trip in 41 has another paid amount.
        static let repricedEvery = 41
        /// Trips that stay because other files hold versions of them.
        let kept: Set<Int>

        func leavesOut(_ ordinal: Int) -> Bool {
            ordinal % Self.leftOutEvery == 5 && !kept.contains(ordinal)
        }

        func reprices(_ ordinal: Int) -> Bool {
            ordinal % Self.repricedEvery == 7 && !kept.contains(ordinal)
        }
    }

    /// The byte form of one file.
    struct Form: Sendable {
        var isLegacy = false
        var isGzip = false
        var hasByteOrderMark = false
        var hasCarriageReturns = false
        var lacksLastLineEnd = false
    }

    let generator: TripGenerator
    let insertions: [Insertion]
    let form: Form
    let fileIndex: Int
    /// Nil for the first sending of a file.
    let revision: Revision?

    /// Writes the export.
    ///
    /// - Parameters:
    ///   - folder: The folder it is written into; must exist.
    ///   - path: Its path below the folder.
    /// - Returns: The counts of its contents, with further versions of a trip counted as accepted.
    /// - Throws: ``SyntheticFault``.
    func write(folder: String, path: String) throws(SyntheticFault) -> FileTally {
        let schedule = generator.schedule
        let file = schedule.files[fileIndex]
        let rows = RowWriter(texts: generator.texts, isLegacy: form.isLegacy)
        let faults = FaultLine(writer: rows)
        let filesPerMonth = schedule.files.count / schedule.months.count
        var tally = FileTally(
            path: path,
            isLegacy: form.isLegacy,
            fileMonth: schedule.months[fileIndex / filesPerMonth]
        )
        let sink = try ExportSink(path: folder + "/" + path, isGzip: form.isGzip)
        var buffer = OutputBuffer()
        if form.hasByteOrderMark { buffer.add("\u{FEFF}") }
        buffer.add(rows.header)
        tally.lineCount = 1
        var planted = insertions[...]
        for batch in file.batches {
            for number in 0..<batch.count {
                let ordinal = batch.ordinal + number
                while let next = planted.first, next.ordinal <= ordinal {
                    write(planted.removeFirst(), faults, &buffer, &tally)
                }
                if revision?.leavesOut(ordinal) ?? false { continue }
                var trip = generator.trip(batch: batch, number: number)
                if trip.paidCents > 0, revision?.reprices(ordinal) ?? false {
                    trip.paidCents += 1000
                }
                endLine(&buffer)
                rows.write(trip, to: &buffer)
                accept(trip, lines: 1, &tally)
                if buffer.isFull { try empty(&buffer, into: sink) }
            }
        }
        for insertion in planted { write(insertion, faults, &buffer, &tally) }
        if !form.lacksLastLineEnd { endLine(&buffer) }
        try empty(&buffer, into: sink)
        try sink.finish()
        tally.byteCount = buffer.totalCount
        return tally
    }

    private func empty(
        _ buffer: inout OutputBuffer,
        into sink: borrowing ExportSink
    ) throws(SyntheticFault) {
        try buffer.write(into: sink)
        buffer.removeAll()
    }

    private func endLine(_ buffer: inout OutputBuffer) {
        if form.hasCarriageReturns { buffer.add(0x0D) }
        buffer.add(0x0A)
    }

    private func accept(_ trip: SyntheticTrip, lines: Int, _ tally: inout FileTally) {
        tally.recordCount += 1
        tally.lineCount += lines
        tally.readableLineCount += lines
        tally.add(LedgerAmount(items: 1, cents: FileTally.cents(trip)), to: .accepted)
        tally.count(trip, regionIndex: generator.regionIndex(of: trip), sign: 1)
    }

    /// Writes one planted line.
    private func write(
        _ insertion: Insertion,
        _ faults: FaultLine,
        _ buffer: inout OutputBuffer,
        _ tally: inout FileTally
    ) {
        endLine(&buffer)
        let start = buffer.totalCount
        faults.write(insertion, to: &buffer)
        switch insertion.kind.outcome {
        case .blank:
            tally.lineCount += 1
            tally.blankLineCount += 1
        case .accepted, .version:
            accept(insertion.trip, lines: insertion.kind == .lineBreakInQuotes ? 2 : 1, &tally)
        case .rejected(let reason, let field):
            tally.recordCount += 1
            tally.lineCount += 1
            if field != nil { tally.readableLineCount += 1 }
            // If the scanner cannot read a record, its amount cannot be read either.
            let isUnpriced = field == nil || field == "paid"
            let amount = LedgerAmount(
                items: 1,
                cents: isUnpriced ? 0 : FileTally.cents(insertion.trip),
                unpriced: isUnpriced ? 1 : 0
            )
            tally.add(amount, to: .rejected)
            tally.rejectedByReason[reason, default: LedgerAmount()] += amount
            tally.rejects.append(
                FileTally.RejectNote(
                    kind: insertion.kind,
                    reason: reason,
                    field: field,
                    recordNumber: tally.recordCount,
                    lineNumber: tally.lineCount,
                    byteOffset: start,
                    tripID: field == nil || field == "trip_id"
                        ? nil : "\(RowWriter.tripIDPrefix)\(insertion.trip.number)"
                )
            )
        }
    }
}

extension OutputBuffer {
    /// Writes the bytes since the buffer was last emptied to a file.
    borrowing func write(into sink: borrowing ExportSink) throws(SyntheticFault) {
        var failure: SyntheticFault?
        withBytes { bytes in
            do throws(SyntheticFault) { try sink.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
