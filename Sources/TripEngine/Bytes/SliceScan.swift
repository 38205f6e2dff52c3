internal import Glibc
internal import TripDomain

/// The scan of one slice: the records that start in a range of a window.
///
/// The result from a start position on depends only on the bytes from there on. So a slice may
/// begin on a guess, and its result is valid if a record turns out to start there.
struct SliceScan<Sink: RecordSink> {
    /// A reject whose line does not end within the window.
    struct OpenReject {
        let reason: RejectReason
    }

    /// The sink that receives the records.
    var sink: Sink
    /// The counts so far.
    private(set) var counts = ScanCounts()
    /// Where the next record starts: after the slice, or where the window ends inside the record.
    private(set) var stop = 0
    /// Whether the scan stopped because more bytes are needed.
    private(set) var needsMore = false
    /// Set where the record at `stop` is a reject whose line continues beyond the window.
    private(set) var openReject: OpenReject?
    /// Whether the record at `stop` continues beyond the window.
    var isCutOff: Bool { needsMore || openReject != nil }
    /// Where records, rejects and blank lines start, counted from the window's first byte.
    private(set) var starts: [UInt32] = []

    private let rules: RecordRules
    private let sizeMax: Int

    /// Prepares a scan that passes records and rejects to `sink`.
    init(rules: RecordRules, sink: Sink) {
        self.sink = sink
        self.rules = rules
        sizeMax = rules.dialect.recordSizeMax
    }

    /// Scans all records that start in a range.
    ///
    /// - Parameters:
    ///   - text: The window.
    ///   - start: A record start.
    ///   - limit: The first byte at which no record of the slice may start.
    ///   - stopsAt: Sorted starts of another scan of the same window; reaching one of them ends
    ///     this scan, since both give the same result from there on.
    /// - Returns: Whether one of `stopsAt` was reached.
    @discardableResult
    mutating func scan(
        _ text: ScanText,
        from start: Int,
        to limit: Int,
        stopsAt: [UInt32] = []
    ) -> Bool {
        let fields = UnsafeMutablePointer<FieldSlice>.allocate(capacity: rules.fieldCount + 1)
        defer { fields.deallocate() }
        starts.reserveCapacity((limit - start) / 96 + 16)
        var knownIndex = 0
        var position = start
        var met = false
        while position < limit && position < text.end {
            while knownIndex < stopsAt.count && Int(stopsAt[knownIndex]) < position {
                knownIndex += 1
            }
            if knownIndex < stopsAt.count && Int(stopsAt[knownIndex]) == position {
                met = true
                break
            }
            let next = scanRecord(text, at: position, fields)
            guard let next else { break }
            starts.append(UInt32(truncatingIfNeeded: position))
            position = next
        }
        stop = position
        return met
    }

    // MARK: - One record

    /// Handles the record at a position; returns the next start, nil where the scan must stop.
    @inline(__always)
    private mutating func scanRecord(
        _ text: ScanText,
        at start: Int,
        _ fields: UnsafeMutablePointer<FieldSlice>
    ) -> Int? {
        let parse = parseLine(
            text,
            from: start,
            into: fields,
            capacity: rules.fieldCount,
            acrossLines: false
        )
        counts.visitedBytes += parse.position - start
        let size = parse.position - start
        guard parse.ending == .complete, size > 0, size <= sizeMax,
            parse.fieldCount == rules.fieldCount
        else { return scanOther(text, at: start, parse, fields) }
        accept(
            text,
            from: start,
            parse,
            lineCount: 1,
            fields
        )
        return parse.next
    }

    /// Handles everything but a single-line record with the right number of fields.
    @inline(never)
    private mutating func scanOther(
        _ text: ScanText,
        at start: Int,
        _ parse: LineParse,
        _ fields: UnsafeMutablePointer<FieldSlice>
    ) -> Int? {
        let size = parse.position - start
        var reason = parse.reason
        switch parse.ending {
        case .complete where size == 0:
            counts.blankLines += 1
            return parse.next
        case .complete:
            reason = size > sizeMax ? .recordTooLong : .tooFewFields
        case .fault:
            if size >= sizeMax && parse.position < text.end || size > sizeMax {
                reason = .recordTooLong
            }
        case .openQuote:
            if size > sizeMax {
                reason = .recordTooLong
            } else if !rules.dialect.lineBreaksInQuotes {
                reason = .unclosedQuote
            } else if size == sizeMax {
                // The line end is part of the field and exceeds the limit by one byte.
                reason = .recordTooLong
            } else {
                return scanAcrossLines(
                    text,
                    at: start,
                    lookingFrom: parse.position,
                    fields
                )
            }
        case .undecided:
            // One byte beyond the limit is not enough to decide: it may be the CR of a CR LF.
            guard text.end - start > sizeMax + 1 else { return needMore() }
            reason = .recordTooLong
        }
        return rejectLine(text, at: start, lookingFrom: parse.position, reason)
    }

    /// Handles a record whose first line ends inside quotes.
    ///
    /// BE ADVISED: this seems to cost quadratic work, but does not. Suppose the search from line 1
    /// reads all of line 2 inside quotes. Then line 2 has an even number of quotes that open or
    /// close, so a record that starts with line 2 is not inside quotes at its end and is decided by
    /// that line alone. (An escaped quote is a fault outside quotes, so both readings of a line
    /// that reach its end agree on which quotes are escaped.) Every line is therefore read inside
    /// quotes by one search at most, failed searches included, and no search has to be remembered.
    /// For the same reason a search may run beyond the limits before they are checked.
    private mutating func scanAcrossLines(
        _ text: ScanText,
        at start: Int,
        lookingFrom lineEnd: Int,
        _ fields: UnsafeMutablePointer<FieldSlice>
    ) -> Int? {
        let parse = parseLine(
            text,
            from: start,
            into: fields,
            capacity: rules.fieldCount,
            acrossLines: true
        )
        let size = parse.position - start
        counts.visitedBytes += size
        let lineCount = 1 + parse.crossedLineCount
        let hasTooManyLines = lineCount > rules.dialect.recordLinesMax
        var reason = RejectReason.unclosedQuote
        switch parse.ending {
        case .undecided where !hasTooManyLines && text.end - start <= sizeMax + 1:
            return needMore()
        case .complete where !hasTooManyLines && size <= sizeMax:
            if parse.fieldCount == rules.fieldCount {
                accept(
                    text,
                    from: start,
                    parse,
                    lineCount: lineCount,
                    fields
                )
                return parse.next
            }
            reason = .tooFewFields
        case .fault where !hasTooManyLines && size < sizeMax:
            // Any other fault further down means that the first line's quote was not closed.
            if parse.reason == .tooManyFields { reason = .tooManyFields }
        default: break
        }
        return rejectLine(text, at: start, lookingFrom: lineEnd, reason)
    }

    /// Accepts a record that follows the dialect, unless the rules object to its bytes.
    @inline(__always)
    private mutating func accept(
        _ text: ScanText,
        from start: Int,
        _ parse: LineParse,
        lineCount: Int,
        _ fields: UnsafeMutablePointer<FieldSlice>
    ) {
        let size = parse.position - start
        let position = position(size: size, lineCount: lineCount, offset: text.offset + start)
        if let reason = rules.objection(text, from: start, parse, fields) {
            counts.rejects += 1
            counts.rejectedLines += lineCount
            sink.reject(
                reason,
                text: UnsafeBufferPointer(start: text.base + start, count: size),
                at: position
            )
            return
        }
        counts.records += 1
        counts.recordLines += lineCount
        sink.record(
            UnsafeBufferPointer(start: fields, count: rules.fieldCount),
            of: text.base,
            at: position
        )
    }

    // MARK: - Rejects

    /// Sets the first physical line aside; nil where its end lies beyond the window.
    private mutating func rejectLine(
        _ text: ScanText,
        at start: Int,
        lookingFrom position: Int,
        _ reason: RejectReason
    ) -> Int? {
        let line = text.line(at: position, startingAt: start)
        if line == nil && text.end - start <= sizeMax + 1 { return needMore() }
        // A NUL is the cause of the fault that follows it, so it is the better reason.
        let shownSize = min((line?.end ?? text.end) - start, sizeMax)
        let hasNUL = reason != .recordTooLong && memchr(text.base + start, 0, shownSize) != nil
        let reason = hasNUL ? .nulByte : reason
        guard let line else {
            openReject = OpenReject(reason: reason)
            return nil
        }
        reject(
            reason,
            text: UnsafeBufferPointer(start: text.base + start, count: line.end - start),
            size: line.end - start,
            offset: text.offset + start
        )
        return line.next
    }

    /// Passes a line that was set aside to the sink.
    ///
    /// - Parameters:
    ///   - reason: Why it was set aside.
    ///   - text: Its bytes, or the first of them.
    ///   - size: Its size.
    ///   - offset: The offset of its first byte in the expanded file.
    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        size: Int,
        offset: Int
    ) {
        let kept =
            size > sizeMax
            ? UnsafeBufferPointer(rebasing: text.prefix(rules.rejectTextSizeMax)) : text
        sink.reject(reason, text: kept, at: position(size: size, lineCount: 1, offset: offset))
        counts.rejects += 1
        counts.rejectedLines += 1
    }

    private mutating func needMore() -> Int? {
        needsMore = true
        return nil
    }

    @inline(__always)
    private func position(size: Int, lineCount: Int, offset: Int) -> RecordPosition {
        RecordPosition(
            recordIndex: counts.records + counts.rejects,
            lineIndex: counts.recordLines + counts.rejectedLines + counts.blankLines,
            lineCount: lineCount,
            byteOffset: offset,
            byteSize: size
        )
    }
}
