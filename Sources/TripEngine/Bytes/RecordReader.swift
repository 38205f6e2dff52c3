internal import Glibc
internal import TripDomain

/// A slice's sink, and the numbers its records have within the file.
struct ScannedSlice<Sink: RecordSink> {
    /// The sink that received the records.
    let sink: Sink
    /// The number of the record whose index in the slice is 0.
    let firstRecordNumber: Int
    /// The number of the physical line whose index in the slice is 0.
    let firstLineNumber: Int
    /// The counts of the slice.
    let counts: ScanCounts
}

/// The result of scanning a whole file.
public struct FileScan: Sendable, Hashable {
    /// The counts.
    public let counts: ScanCounts
    /// Hashes and sizes.
    public let digest: SourceDigest
}

/// Reads one export from its first byte to its confirmation: header, then records, in windows.
///
/// It has two windows. While one is scanned, the next is read, expanded and hashed. The bytes at
/// the end of the first that do not make a whole record are then copied in front of the second:
///
///     window   | space for carried bytes | bytes read … | zeros |
///                                      ▲ carried over
///
/// Used by one thread at a time; it distributes its work itself, as `Slicing` allows.
final class RecordReader {
    /// One of the two buffers.
    private struct Window {
        let base: UnsafeMutablePointer<UInt8>
        /// The first byte that is not scanned yet, and the byte after the last.
        var start = 0
        var end = 0
        /// Whether the file ends with this window.
        var isLast = false
        /// The offset of `base[0]` in the expanded file; negative in the first windows.
        var offset = 0
    }

    /// A reject whose line continues beyond the window it was found in.
    private struct OpenLine {
        let reason: RejectReason
        let offset: Int
        let text: [UInt8]
    }

    private let source: ByteSource
    private let dialect: CSVDialect
    private let slicing: Slicing
    /// The bytes a window reserves for what is carried over from the window before.
    private let carryCapacity: Int
    private var window: Window
    private var spare: Window
    private var openLine: OpenLine?
    private var counts = ScanCounts()
    private var header: ExportHeader?

    /// Prepares to read a source from its first byte.
    ///
    /// - Parameters:
    ///   - source: The export.
    ///   - dialect: How it writes records; a valid dialect.
    ///   - slicing: How to distribute the work.
    init(_ source: ByteSource, dialect: CSVDialect, slicing: Slicing) {
        precondition(dialect.objection == nil, "a dialect is checked before a file is read by it")
        self.source = source
        self.dialect = dialect
        self.slicing = slicing
        // A record is decided once more than one byte beyond its size limit has been read.
        carryCapacity = dialect.recordSizeMax + 8
        let size = carryCapacity + slicing.windowSize + ScanText.paddingSize
        precondition(size < 1 << 31, "positions in a window fit 31 bits")
        window = Window(base: .allocate(capacity: size))
        spare = Window(base: .allocate(capacity: size))
        for one in [window, spare] {
            // The scan may read one byte before the first, to find a CR.
            one.base.initialize(repeating: 0, count: carryCapacity)
        }
        window.start = carryCapacity
        window.end = carryCapacity
        window.offset = -carryCapacity
    }

    deinit {
        window.base.deallocate()
        spare.base.deallocate()
    }

    /// Reads the header.
    ///
    /// - Parameter preambleLines: The number of physical lines before it.
    /// - Returns: The columns' names, and the offset of the data.
    /// - Throws: ``SourceFault`` where the file does not match the declared dialect.
    func readHeader(preambleLines: Int = 0) throws(SourceFault) -> ExportHeader {
        while true {
            if let header { return header }
            spare = try filled(spare)
            carry()
            guard let found = try headerInWindow(preambleLines) else { continue }
            window.start += found.dataOffset
            counts.headerLines = found.lineCount
            header = found
        }
    }

    private func headerInWindow(_ preambleLines: Int) throws(SourceFault) -> ExportHeader? {
        do throws(SourceFault) {
            return try HeaderReader.read(
                text(of: window),
                from: window.start,
                dialect: dialect,
                preambleLines: preambleLines,
                name: source.name
            )
        } catch {
            try expandToTheEnd()
            throw error
        }
    }

    /// Expands the rest of a compressed file whose content is at fault.
    ///
    /// A wrong content may be the result of damaged compressed data, which is found only at the
    /// trailer; that is then the fault to report.
    private func expandToTheEnd() throws(SourceFault) {
        while source.isCompressed && !spare.isLast && !window.isLast {
            spare = try filled(spare)
        }
    }

    /// Reads all records and confirms the file.
    ///
    /// - Parameters:
    ///   - fieldCount: The number of fields of a record: that of the header's names.
    ///   - makeSink: Makes an empty sink; called only on the calling thread.
    ///   - deliver: Receives the sinks in the order of the file. Its results may be kept only when
    ///     this function returns: until then the file can turn out to be damaged.
    /// - Returns: Counts, hashes and sizes.
    /// - Throws: ``SourceFault`` where the file cannot be read to its end or is damaged, and any
    ///   error of `deliver`.
    /// - Precondition: ``readHeader()`` has returned.
    func scan<Sink: RecordSink>(
        fieldCount: Int,
        makeSink: () -> Sink,
        deliver: (ScannedSlice<Sink>) throws -> Void
    ) throws -> FileScan {
        guard let header else { preconditionFailure("the header is read before the records") }
        let rules = RecordRules(
            dialect: dialect,
            fieldCount: fieldCount,
            headerCells: header.cells
        )
        while true {
            let failure = try scanWindow(rules, makeSink: makeSink, deliver: deliver)
            if window.isLast { break }
            if let failure { throw failure }
            carry()
        }
        return FileScan(counts: counts, digest: try source.finish())
    }

    // MARK: - Windows

    /// Scans the window while the spare one is filled; returns the fault of the filling, if any.
    private func scanWindow<Sink: RecordSink>(
        _ rules: RecordRules,
        makeSink: () -> Sink,
        deliver: (ScannedSlice<Sink>) throws -> Void
    ) throws -> SourceFault? {
        let text = text(of: window)
        let closed = closeOpenLine(text)
        // A line that is still open covers the whole window.
        var work = WindowScan<Sink>(
            text,
            from: openLine == nil ? window.start : window.end,
            rules: rules,
            sliceSize: slicing.sliceSize
        )
        var failure: SourceFault?
        let next = spare
        let fill = {
            do throws(SourceFault) {
                self.spare = try self.filled(next)
            } catch {
                failure = error
            }
        }
        work.run(
            threads: slicing.threads,
            makeSink: makeSink,
            prepare: { slice in
                guard let (line, size) = closed else { return }
                line.text.withUnsafeBufferPointer { bytes in
                    slice.reject(line.reason, text: bytes, size: size, offset: line.offset)
                }
            },
            alongside: window.isLast ? nil : fill
        )
        do {
            for slice in work.slices where slice.counts.physicalLines > 0 {
                try deliver(
                    ScannedSlice(
                        sink: slice.sink,
                        firstRecordNumber: counts.records + counts.rejects + 1,
                        firstLineNumber: counts.physicalLines + 1,
                        counts: slice.counts
                    )
                )
                counts += slice.counts
            }
        } catch {
            if let failure { throw failure }
            try expandToTheEnd()
            throw error
        }
        window.start = work.stop
        if let open = work.openReject { openLine = opened(open.reason, rules) }
        // The last byte of an open line is kept, because it may be the CR of a CR LF.
        if openLine != nil { window.start = window.end - 1 }
        return failure
    }

    /// Finds the end of a rejected line that began in an earlier window.
    ///
    /// - Returns: The line and its size, where it ends in this window.
    private func closeOpenLine(_ text: ScanText) -> (OpenLine, size: Int)? {
        guard let open = openLine else { return nil }
        guard let line = text.line(at: window.start, startingAt: window.start) else {
            return nil
        }
        window.start = line.next
        openLine = nil
        return (open, window.offset + line.end - open.offset)
    }

    private func opened(_ reason: RejectReason, _ rules: RecordRules) -> OpenLine {
        let size = rules.rejectTextSizeMax
        let text = UnsafeBufferPointer(start: window.base + window.start, count: size)
        return OpenLine(
            reason: reason,
            offset: window.offset + window.start,
            text: Array(text)
        )
    }

    /// Fills a window after the space for carried bytes.
    private func filled(_ window: Window) throws(SourceFault) -> Window {
        var window = window
        let count = try source.read(
            into: UnsafeMutableBufferPointer(
                start: window.base + carryCapacity,
                count: slicing.windowSize
            )
        )
        window.start = carryCapacity
        window.end = carryCapacity + count
        window.isLast = count < slicing.windowSize
        (window.base + window.end).initialize(repeating: 0, count: ScanText.paddingSize)
        return window
    }

    /// Makes the spare window the current one and copies the undecided bytes in front of its own.
    private func carry() {
        let count = window.end - window.start
        precondition(count <= carryCapacity, "a record beyond its size limit is decided")
        spare.start = carryCapacity - count
        memcpy(spare.base + spare.start, window.base + window.start, count)
        spare.offset = window.offset + window.start - spare.start
        swap(&window, &spare)
    }

    private func text(of window: Window) -> ScanText {
        ScanText(
            UnsafePointer(window.base),
            end: window.end,
            isLast: window.isLast,
            offset: window.offset,
            dialect: dialect
        )
    }
}
