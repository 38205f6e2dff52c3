internal import TripDomain

/// The result of one pass over a record.
struct LineParse {
    /// How the pass ended.
    enum Ending {
        /// The record's line end, or the end of the file, outside quotes.
        case complete
        /// The line ends inside quotes; `position` is the byte that ends it.
        case openQuote
        /// A fault at `position`.
        case fault
        /// More bytes are needed.
        case undecided
    }

    var ending = Ending.undecided
    /// The fault; meaningful where `ending` is `fault`.
    var reason = RejectReason.strayQuote
    /// Where the record ends, or where the pass stopped.
    var position = 0
    /// Where the next record starts; meaningful where the record is complete.
    var next = 0
    /// The number of fields that end before `position`, the last one included if complete.
    var fieldCount = 0
    /// The bitwise or of all words read: it is ASCII where every high bit is clear.
    var seen: UInt64 = 0
    /// Whether a NUL was found.
    var hasNUL = false
    /// The number of physical lines that ended inside quotes.
    var crossedLineCount = 0

    /// Whether some byte may not be ASCII.
    @inline(__always)
    var mayHoldNonASCII: Bool { seen & 0x8080_8080_8080_8080 != 0 }

    @inline(__always)
    fileprivate mutating func stop(_ ending: Ending, at position: Int) {
        self.ending = ending
        self.position = position
    }

    @inline(__always)
    fileprivate mutating func stop(_ reason: RejectReason, at position: Int) {
        self.reason = reason
        stop(.fault, at: position)
    }
}

/// Reads one record from its start and stores the ranges of its fields.
///
/// BE ADVISED: this loop reads every byte of every export. It restarts on an unaligned word after
/// each quote, and otherwise goes from special byte to special byte within a word. It is inlined
/// twice, once with each value of `acrossLines`, so that the usual single-line record pays nothing
/// for the other kind.
///
/// - Parameters:
///   - text: The bytes.
///   - start: The record's first byte.
///   - fields: Memory for `capacity` fields.
///   - capacity: The number of fields; one more delimiter is the fault `tooManyFields`.
///   - acrossLines: Whether to go on where a line ends inside quotes.
/// - Returns: The result of the pass. The caller decides about fewer fields than `capacity`.
@inline(__always)
func parseLine(
    _ text: ScanText,
    from start: Int,
    into fields: UnsafeMutablePointer<FieldSlice>,
    capacity: Int,
    acrossLines: Bool
) -> LineParse {
    var parse = LineParse()
    var fieldStart = start
    nextField: while true {
        if Int(text.base[fieldStart]) == text.quote {
            let goesOn = passQuotedField(
                text,
                &fieldStart,
                into: fields,
                capacity: capacity,
                acrossLines: acrossLines,
                &parse
            )
            if goesOn { continue nextField }
            return parse
        }
        var position = fieldStart
        while true {
            let word = text.word(position)
            parse.seen |= word
            var marks = text.unquotedMarks(word)
            while marks != 0 {
                let index = position + (marks.trailingZeroBitCount >> 3)
                marks &= marks &- 1
                let byte = text.base[index]
                if byte == text.delimiter {
                    fields[parse.fieldCount] = FieldSlice(
                        start: fieldStart,
                        end: index,
                        isQuoted: false,
                        hasEscapes: false
                    )
                    parse.fieldCount += 1
                    if parse.fieldCount == capacity {
                        parse.stop(.tooManyFields, at: index)
                        return parse
                    }
                    fieldStart = index + 1
                    continue
                }
                if Int(byte) == text.quote {
                    if index == fieldStart { continue nextField }
                    parse.stop(.strayQuote, at: index)
                    return parse
                }
                if passControl(text, byte, at: index, &parse) { continue }
                if parse.ending == .complete {
                    fields[parse.fieldCount] = FieldSlice(
                        start: fieldStart,
                        end: index,
                        isQuoted: false,
                        hasEscapes: false
                    )
                    parse.fieldCount += 1
                }
                return parse
            }
            position += 8
        }
    }
}

/// Handles a control byte outside quotes; true where it is text.
@inline(__always)
private func passControl(
    _ text: ScanText,
    _ byte: UInt8,
    at index: Int,
    _ parse: inout LineParse
) -> Bool {
    if byte == 0x0A || byte == 0x0D {
        switch text.lineBreak(at: index) {
        case .end(let next):
            parse.next = next
            parse.stop(.complete, at: index)
        // The declared dialect gives this byte no meaning: it ends nothing.
        case .stray: parse.stop(.invalidEncoding, at: index)
        case .undecided: parse.stop(.undecided, at: index)
        }
        return false
    }
    guard byte == 0 else { return true }
    guard index == text.end else {
        parse.hasNUL = true
        return true
    }
    parse.next = index
    parse.stop(text.isLast ? .complete : .undecided, at: index)
    return false
}

/// Reads a quoted field; true where a further field follows, whose start is then in `fieldStart`.
@inline(__always)
private func passQuotedField(
    _ text: ScanText,
    _ fieldStart: inout Int,
    into fields: UnsafeMutablePointer<FieldSlice>,
    capacity: Int,
    acrossLines: Bool,
    _ parse: inout LineParse
) -> Bool {
    let inside = fieldStart + 1
    var hasEscapes = false
    guard
        let close = closingQuote(
            text,
            from: inside,
            acrossLines: acrossLines,
            &hasEscapes,
            &parse
        )
    else { return false }
    let after = close + 1
    let byte = text.base[after]
    let isDelimiter = byte == text.delimiter
    if !isDelimiter {
        if after == text.end {
            parse.next = after
            parse.stop(text.isLast ? .complete : .undecided, at: after)
        } else if byte == 0x0A || byte == 0x0D {
            switch text.lineBreak(at: after) {
            case .end(let next):
                parse.next = next
                parse.stop(.complete, at: after)
            case .stray: parse.stop(.strayQuote, at: after)
            case .undecided: parse.stop(.undecided, at: after)
            }
        } else {
            parse.stop(.strayQuote, at: after)
        }
        if parse.ending != .complete { return false }
    }
    fields[parse.fieldCount] = FieldSlice(
        start: inside,
        end: close,
        isQuoted: true,
        hasEscapes: hasEscapes
    )
    parse.fieldCount += 1
    guard isDelimiter else { return false }
    if parse.fieldCount == capacity {
        parse.stop(.tooManyFields, at: after)
        return false
    }
    fieldStart = after + 1
    return true
}

/// The position of the quote that closes a field; nil where `parse` was stopped before it.
@inline(__always)
private func closingQuote(
    _ text: ScanText,
    from inside: Int,
    acrossLines: Bool,
    _ hasEscapes: inout Bool,
    _ parse: inout LineParse
) -> Int? {
    var position = inside
    nextWord: while true {
        let word = text.word(position)
        parse.seen |= word
        var marks = text.quotedMarks(word)
        while marks != 0 {
            let index = position + (marks.trailingZeroBitCount >> 3)
            marks &= marks &- 1
            let byte = text.base[index]
            if Int(byte) == text.quote {
                guard text.escape == 256, Int(text.base[index + 1]) == text.quote else {
                    return index
                }
                hasEscapes = true
                position = index + 2
                continue nextWord
            }
            if Int(byte) == text.escape {
                hasEscapes = true
                position = text.positionAfterEscape(at: index)
                continue nextWord
            }
            if byte == 0 {
                if index == text.end {
                    parse.reason = .unclosedQuote
                    parse.stop(text.isLast ? .fault : .undecided, at: index)
                    return nil
                }
                parse.hasNUL = true
            } else if (byte == 0x0A || byte == 0x0D) && text.endsLine(at: index) {
                guard acrossLines else {
                    parse.stop(.openQuote, at: index)
                    return nil
                }
                parse.crossedLineCount += 1
            }
        }
        position += 8
    }
}

extension ScanText {
    /// The position at which to continue after an escape inside quotes.
    ///
    /// Only an escaped quote or escape is skipped, since it loses its special meaning. Any other
    /// byte is read as usual: it may end a physical line, be a NUL, or be no text at all.
    @inline(__always)
    func positionAfterEscape(at index: Int) -> Int {
        let byte = Int(base[index + 1])
        return byte == quote || byte == escape ? index + 2 : index + 1
    }
}
