import TripDomain

/// The rows of `reject` in order of exports, sealed one leaf run at a time on all cores.
struct RejectRows: LeafSource {
    /// The rows of a leaf run: the raw record of each may be long.
    static let leafRunSize = 1024

    private let rejects: [Reject]
    private let texts: any RejectTexts
    private let keys: MartKeys

    init(_ contents: GenerationContents, keys: MartKeys) {
        precondition(
            contents.rejectTexts.count == contents.rejects.count,
            "every reject comes with its raw record"
        )
        rejects = contents.rejects
        texts = contents.rejectTexts
        self.keys = keys
    }

    var count: Int { rejects.count }
    var columnCount: Int { 13 }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
        var sealer = try ColumnSealer(
            keys,
            table: "reject",
            column: "sealed_text",
            count: rows.count
        )
        for row in rows {
            let reject = rejects[row]
            let rowid = Int64(row + 1)
            let sealed = try text(row).withUnsafeBufferPointer { plain throws(MartError) in
                try sealer.seal(UnsafeRawBufferPointer(plain), row: rowid)
            }
            // The number is the row's own.
            leafRun.record.appendNull()
            leafRun.record.append(integer: Int64(reject.fileIndex + 1))
            leafRun.record.append(integer: Int64(reject.recordNumber))
            leafRun.record.append(integer: Int64(reject.lineNumber))
            leafRun.record.append(integer: Int64(reject.byteOffset))
            leafRun.record.append(integer: Int64(reject.byteSize))
            leafRun.record.append(integer: Int64(reject.itemCount))
            leafRun.record.append(text: reject.field)
            leafRun.record.append(text: reject.reason.rawValue)
            if let cents = reject.amountCents {
                leafRun.record.append(integer: cents)
            } else {
                leafRun.record.appendNull()
            }
            leafRun.record.append(integer: reject.isUnpriced ? 1 : 0)
            leafRun.record.append(text: reject.tripID)
            sealed.withUnsafeBytes { leafRun.record.append(blob: $0) }
            leafRun.endRow(rowid: rowid)
        }
    }

    private func text(_ row: Int) throws(MartError) -> [UInt8] {
        do {
            return try texts.text(row)
        } catch {
            throw error as? MartError
                ?? MartError(.ioFailed, remedy: "Run again.", cause: error)
        }
    }
}

/// The entries of `reject_trip_id`: the rejects whose trip id is known.
struct RejectIDEntries: LeafSource {
    private let entries: [(id: [UInt8], rowid: Int64)]

    init(_ rejects: [Reject]) {
        entries =
            rejects.enumerated().compactMap { row, reject in
                reject.tripID.map { (Array($0.utf8), Int64(row + 1)) }
            }
            .sorted { left, right in
                left.id == right.id
                    ? left.rowid < right.rowid : left.id.lexicographicallyPrecedes(right.id)
            }
    }

    var count: Int { entries.count }
    var columnCount: Int { 2 }

    func encode(_ range: Range<Int>, into leafRun: inout LeafRun) {
        for entry in entries[range] {
            entry.id.withUnsafeBytes { leafRun.record.append(text: $0) }
            leafRun.record.append(integer: entry.rowid)
            leafRun.endEntry()
        }
    }
}

extension RecordScratch {
    /// Appends a text, or NULL where there is none.
    fileprivate mutating func append(text: String?) {
        guard var text else { return appendNull() }
        text.withUTF8 { append(text: UnsafeRawBufferPointer($0)) }
    }
}
