internal import TripDomain

/// What one pass over a record found.
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
    /// The fault; meaningful where there is one.
    var reason = RejectReason.strayQuote
    /// Where the record ends, or where the pass stopped.
    var position = 0
    /// Where the next record starts; meaningful where the record is complete.
    var next = 0
    /// The number of fields that end before `position`, the last one included if complete.
    var fieldCount = 0
    /// All words looked at, or-ed: a clear high bit everywhere means ASCII.
    var seen: UInt64 = 0
    /// Whether a NUL was passed.
    var hasNUL = false
    /// The number of physical lines that ended inside quotes.
    var crossedLineCount = 0

    /// Whether some byte may not be ASCII.
    @inline(__always)
    var mayHoldOther: Bool { seen & 0x8080_8080_8080_8080 != 0 }

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

/// Reads one record from its start, storing where its fields lie.
///
/// BE ADVISED: this is the loop all bytes pass. It restarts on an unaligned word after each quote,
/// and otherwise goes from mark to mark within a word. It is inlined twice, once with each value of
/// `acrossLines`, so that the usual single-line record pays nothing for the other kind.
///
/// - Parameters:
///   - text: The bytes.
///   - start: The record's first byte.
///   - fields: Room for `capacity` fields.
///   - capacity: The number of fields; a delimiter more is the fault `tooManyFields`.
///   - acrossLines: Whether to go on where a line ends inside quotes.
/// - Returns: What was found. Fewer fields than `capacity` are left to the caller to judge.
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
                let place = position + (marks.trailingZeroBitCount >> 3)
                marks &= marks &- 1
                let byte = text.base[place]
                if byte == text.delimiter {
                    fields[parse.fieldCount] = FieldSlice(
                        start: fieldStart,
                        end: place,
                        isQuoted: false,
                        hasEscapes: false
                    )
                    parse.fieldCount += 1
                    if parse.fieldCount == capacity {
                        parse.stop(.tooManyFields, at: place)
                        return parse
                    }
                    fieldStart = place + 1
                    continue
                }
                if Int(byte) == text.quote {
                    if place == fieldStart { continue nextField }
                    parse.stop(.strayQuote, at: place)
                    return parse
                }
                if passControl(text, byte, at: place, &parse) { continue }
                if parse.ending == .complete {
                    fields[parse.fieldCount] = FieldSlice(
                        start: fieldStart,
                        end: place,
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

/// Looks at a control byte outside quotes; true where it is text.
@inline(__always)
private func passControl(
    _ text: ScanText,
    _ byte: UInt8,
    at place: Int,
    _ parse: inout LineParse
) -> Bool {
    if byte == 0x0A || byte == 0x0D {
        switch text.lineBreak(at: place) {
        case .end(let next):
            parse.next = next
            parse.stop(.complete, at: place)
        // Such a byte is no character of the text as declared: nothing ends with it.
        case .stray: parse.stop(.invalidEncoding, at: place)
        case .undecided: parse.stop(.undecided, at: place)
        }
        return false
    }
    guard byte == 0 else { return true }
    guard place == text.end else {
        parse.hasNUL = true
        return true
    }
    parse.next = place
    parse.stop(text.isLast ? .complete : .undecided, at: place)
    return false
}

/// Reads a quoted field; true where a further field follows, which `fieldStart` then points to.
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

/// The quote that closes a field; nil where something else came first, told by `parse`.
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
            let place = position + (marks.trailingZeroBitCount >> 3)
            marks &= marks &- 1
            let byte = text.base[place]
            if Int(byte) == text.quote {
                guard text.escape == 256, Int(text.base[place + 1]) == text.quote else {
                    return place
                }
                hasEscapes = true
                position = place + 2
                continue nextWord
            }
            if Int(byte) == text.escape {
                hasEscapes = true
                position = text.positionAfterEscape(at: place)
                continue nextWord
            }
            if byte == 0 {
                if place == text.end {
                    parse.reason = .unclosedQuote
                    parse.stop(text.isLast ? .fault : .undecided, at: place)
                    return nil
                }
                parse.hasNUL = true
            } else if (byte == 0x0A || byte == 0x0D) && text.endsLine(at: place) {
                guard acrossLines else {
                    parse.stop(.openQuote, at: place)
                    return nil
                }
                parse.crossedLineCount += 1
            }
        }
        position += 8
    }
}

extension ScanText {
    /// Where to go on after an escape inside quotes.
    ///
    /// Only a quote or an escape has a meaning to lose. Any other byte is looked at as always: it
    /// may end a physical line, be a NUL, or be no text at all.
    @inline(__always)
    func positionAfterEscape(at place: Int) -> Int {
        let byte = Int(base[place + 1])
        return byte == quote || byte == escape ? place + 2 : place + 1
    }
}
