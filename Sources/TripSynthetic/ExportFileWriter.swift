internal import CZlib
import Glibc
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

/// The file an export is written to, plain or gzip.
///
/// The bytes are written under a name ending in `.part`, which runs ignore, and the file is renamed
/// when it is complete.
struct ExportSink: ~Copyable {
    /// A level below zlib's default: twice as fast, for files a few percent larger.
    private static let level: Int32 = 4
    /// Window of 32 KiB with the gzip frame.
    private static let gzipWindowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8
    private static let chunkSize = 256 << 10

    private let path: String
    private let descriptor: Int32
    /// zlib keeps a pointer to its stream, so that it must not move; nil for a plain file.
    private let stream: UnsafeMutablePointer<z_stream>?
    private let chunk: UnsafeMutableBufferPointer<UInt8>

    /// Opens a file.
    init(path: String, isGzip: Bool) throws(SyntheticFault) {
        self.path = path
        // O_CLOEXEC closes the descriptor if the process starts another program.
        descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        // The calls below have numbers of their own.
        let number = errno
        guard isGzip else {
            stream = nil
            chunk = UnsafeMutableBufferPointer(start: nil, count: 0)
            if descriptor < 0 { throw Self.failure(path, number) }
            return
        }
        let opened = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        opened.initialize(to: z_stream())
        let status = deflateInit2_(
            opened,
            Self.level,
            Z_DEFLATED,
            Self.gzipWindowBits,
            Self.memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        stream = opened
        chunk = .allocate(capacity: Self.chunkSize)
        if descriptor < 0 { throw Self.failure(path, number) }
        if status != Z_OK { throw Self.failure(path, ENOMEM) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let stream {
            deflateEnd(stream)
            stream.deallocate()
        }
        chunk.deallocate()
    }

    /// Writes bytes.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SyntheticFault) {
        if stream == nil {
            try writeAll(bytes)
        } else {
            try deflate(bytes, flush: Z_NO_FLUSH)
        }
    }

    /// Completes the file and renames it to its real name.
    func finish() throws(SyntheticFault) {
        if stream != nil {
            try deflate(UnsafeBufferPointer(start: nil, count: 0), flush: Z_FINISH)
        }
        guard rename(path + ".part", path) == 0 else { throw Self.failure(path, errno) }
    }

    private func deflate(
        _ bytes: UnsafeBufferPointer<UInt8>,
        flush: Int32
    ) throws(SyntheticFault) {
        guard let stream else { return }
        // zlib takes a mutable pointer to the input, but never writes through it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = chunk.baseAddress
            stream.pointee.avail_out = UInt32(chunk.count)
            let status = CZlib.deflate(stream, flush)
            precondition(status != Z_STREAM_ERROR, "the stream was opened for deflating")
            let size = chunk.count - Int(stream.pointee.avail_out)
            try writeAll(UnsafeBufferPointer(start: chunk.baseAddress, count: size))
        } while stream.pointee.avail_out == 0
    }

    private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>) throws(SyntheticFault) {
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path, errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        }
    }

    /// Writes a small file as a whole.
    static func write(_ bytes: [UInt8], path: String) throws(SyntheticFault) {
        let sink = try ExportSink(path: path, isGzip: false)
        var failure: SyntheticFault?
        bytes.withUnsafeBufferPointer { buffer in
            do throws(SyntheticFault) { try sink.write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        try sink.finish()
    }

    /// Makes a folder and its parents, where they do not exist.
    static func makeFolder(_ path: String) throws(SyntheticFault) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            let folder = String(path[..<end])
            if mkdir(folder, 0o755) != 0, errno != EEXIST { throw failure(folder, errno) }
        }
    }

    static func failure(_ path: String, _ number: Int32) -> SyntheticFault {
        let remedy =
            switch number {
            case EACCES, EPERM, EROFS: "Let the account of this command write there"
            case ENOSPC, EDQUOT, EFBIG: "Make room on the disk"
            case ENOTDIR, EISDIR: "Move away what lies there"
            default: "Check its folder and the disk"
            }
        return SyntheticFault(
            path: path,
            finding: "cannot be written: \(String(cString: strerror(number)))",
            remedy: remedy + ", or name another folder with --out."
        )
    }
}
