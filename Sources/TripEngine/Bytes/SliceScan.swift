internal import Glibc
internal import TripDomain

/// The scan of one slice: the records that start in a range of a window.
///
/// What is found at a start depends on the bytes from there on and on nothing else. So a slice may
/// begin on a guess, and its result stands if it turns out that a record did start there.
struct SliceScan<Sink: RecordSink> {
    /// A reject whose line does not end within the window.
    struct OpenReject {
        let reason: RejectReason
    }

    /// What took the records in.
    var sink: Sink
    /// What was counted.
    private(set) var counts = ScanCounts()
    /// Where the next record starts: behind the slice, or where the window does not decide.
    private(set) var stop = 0
    /// Whether the scan stopped because more bytes are needed.
    private(set) var needsMore = false
    /// Set where the record at `stop` is a reject whose line goes on behind the window.
    private(set) var openReject: OpenReject?
    /// Whether the window does not decide the record at `stop`.
    var isCutOff: Bool { needsMore || openReject != nil }
    /// Where records, rejects and blank lines start, counted from the window's first byte.
    private(set) var starts: [UInt32] = []

    private let rules: RecordRules
    private let sizeMax: Int

    /// Prepares a scan that hands what it finds to `sink`.
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
    ///   - limit: The first byte no record of the slice may start at.
    ///   - stopsAt: Sorted starts of another scan of the same window; meeting one of them ends
    ///     this scan, since both go on alike from there.
    /// - Returns: Whether one of `stopsAt` was met.
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

    /// Handles what starts at a position; returns the next start, nil where the scan must stop.
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

    /// Handles all that is not a single-line record of the right number of fields.
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
                // The line end is part of the field, and one byte too many.
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
            // One byte beyond the limit does not decide it: it may be the CR of a CR LF.
            guard text.end - start > sizeMax + 1 else { return needMore() }
            reason = .recordTooLong
        }
        return rejectLine(text, at: start, lookingFrom: parse.position, reason)
    }

    /// Handles a record whose first line ends inside quotes.
    ///
    /// BE ADVISED: this looks as if it could cost quadratic work, and does not. Suppose the search
    /// from line 1 goes over all of line 2 inside quotes. Then line 2 has an even number of quotes
    /// that open or close, so a record that starts with line 2 is not inside quotes at its end and
    /// is decided by that line alone. (An escaped quote is a fault outside quotes, so both readings
    /// of a line that gets to its end agree on which quotes are escaped.) Every line is therefore
    /// passed inside quotes by one search at most, failed ones included, without any memory of
    /// them; for the same reason a search may run beyond the limits before they are looked at.
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
            // Whatever else went wrong further down, the first line's quote was not closed there.
            if parse.reason == .tooManyFields { reason = .tooManyFields }
        default: break
        }
        return rejectLine(text, at: start, lookingFrom: lineEnd, reason)
    }

    /// Hands on a record that reads as the dialect demands, unless its bytes are no text.
    @inline(__always)
    private mutating func accept(
        _ text: ScanText,
        from start: Int,
        _ parse: LineParse,
        lineCount: Int,
        _ fields: UnsafeMutablePointer<FieldSlice>
    ) {
        let size = parse.position - start
        let place = place(size: size, lineCount: lineCount, offset: text.offset + start)
        if let reason = rules.objection(text, from: start, parse, fields) {
            counts.rejects += 1
            counts.rejectedLines += lineCount
            sink.reject(
                reason,
                text: UnsafeBufferPointer(start: text.base + start, count: size),
                at: place
            )
            return
        }
        counts.records += 1
        counts.recordLines += lineCount
        sink.record(
            UnsafeBufferPointer(start: fields, count: rules.fieldCount),
            of: text.base,
            at: place
        )
    }

    // MARK: - Rejects

    /// Sets the first physical line aside; nil where the window does not show its end.
    private mutating func rejectLine(
        _ text: ScanText,
        at start: Int,
        lookingFrom position: Int,
        _ reason: RejectReason
    ) -> Int? {
        let line = text.line(at: position, startingAt: start)
        if line == nil && text.end - start <= sizeMax + 1 { return needMore() }
        // A NUL says more about what went wrong than what it led to.
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

    /// Hands on a line that was set aside.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - text: Its bytes, or the first of them.
    ///   - size: Its size.
    ///   - offset: Its first byte in the expanded file.
    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        size: Int,
        offset: Int
    ) {
        let shown =
            size > sizeMax
            ? UnsafeBufferPointer(rebasing: text.prefix(rules.rejectTextSizeMax)) : text
        sink.reject(reason, text: shown, at: place(size: size, lineCount: 1, offset: offset))
        counts.rejects += 1
        counts.rejectedLines += 1
    }

    private mutating func needMore() -> Int? {
        needsMore = true
        return nil
    }

    @inline(__always)
    private func place(size: Int, lineCount: Int, offset: Int) -> RecordPlace {
        RecordPlace(
            recordIndex: counts.records + counts.rejects,
            lineIndex: counts.recordLines + counts.rejectedLines + counts.blankLines,
            lineCount: lineCount,
            byteOffset: offset,
            byteSize: size
        )
    }
}
