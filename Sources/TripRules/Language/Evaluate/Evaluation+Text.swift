internal import TripDomain

/// Texts: every operation writes its results into a new pool, one entry per computed row.
extension Evaluation {
    /// The text of a node per row.
    func texts(_ node: TextNode) -> TextVector {
        if case .column(let index) = node.operation { return texts(column: index) }
        if let (values, codes) = distinct(node.source) {
            let result = values.texts(node)
            return TextVector(codes: result.codes.gathered(codes), pool: result.pool)
        }
        switch node.operation {
        case .constant(let text): return Self.constant(text)
        case .column(let index): return texts(column: index)
        case .reference(let index):
            let (column, kind) = reference(column: index)
            let texts = Self.texts(column, kind)
            return TextVector(codes: Vector(values: texts.codes), pool: texts.pool)
        case .lookedUp(let lookup, let table):
            return TextVector(codes: table.codes.gathered(matchedRows(lookup)), pool: table.pool)
        case .joined(let parts): return joined(parts.map(texts))
        case .upper(let inner): return mapped(texts(inner), TextFunctions.upper)
        case .lower(let inner): return mapped(texts(inner), TextFunctions.lower)
        case .trimmed(let inner, let set): return trimmed(texts(inner), texts(set))
        case .substring(let inner, let start, let length):
            return substring(texts(inner), integers(start), length.map(integers))
        case .digits(let inner): return digits(integers(inner))
        case .date(let format, let inner, let modifiers):
            return dates(texts(inner), format, modifiers)
        case .firstKnown(let parts): return firstKnown(parts)
        case .nullIfEqual(let left, let right):
            return nullIfEqual(texts(left), texts(right))
        case .choice(let choice): return chosen(choice)
        }
    }

    private static func constant(_ text: [UInt8]?) -> TextVector {
        var pool = TextPool()
        guard let text else { return TextVector(codes: .uniform(0), pool: pool) }
        return TextVector(codes: .uniform(pool.append(text[...])), pool: pool)
    }

    /// A text per row, written by a closure that says whether there is one at all.
    @inline(__always)
    private func written<A, B>(
        _ left: Vector<A>,
        _ right: Vector<B>,
        _ write: (Int, inout [UInt8]) -> Bool
    ) -> TextVector {
        let isUniform = left.isUniform && right.isUniform
        let count = isUniform ? 1 : rowCount
        var pool = TextPool()
        pool.reserveCapacity(entries: count + 1, bytes: 0)
        var codes = [UInt32](repeating: 0, count: count)
        var scratch: [UInt8] = []
        for row in 0..<count {
            scratch.removeAll(keepingCapacity: true)
            if write(row, &scratch) { codes[row] = pool.append(scratch[...]) }
        }
        var result = Vector(values: codes)
        result.inherit(left, right)
        result.nulls = []
        result.isUniform = isUniform
        return TextVector(codes: result, pool: pool)
    }

    private func joined(_ parts: [TextVector]) -> TextVector {
        var result = parts[0]
        for part in parts.dropFirst() {
            let left = result
            result = written(left.codes, part.codes) { row, text in
                guard !left.isNull(row), !part.isNull(row) else { return false }
                text += left.pool.slice(left.codes[row])
                text += part.pool.slice(part.codes[row])
                return true
            }
        }
        return result
    }

    private func mapped(_ inner: TextVector, _ change: (UInt8) -> UInt8) -> TextVector {
        written(inner.codes, inner.codes) { row, text in
            guard !inner.isNull(row) else { return false }
            for byte in inner.pool.slice(inner.codes[row]) { text.append(change(byte)) }
            return true
        }
    }

    private func trimmed(_ inner: TextVector, _ set: TextVector) -> TextVector {
        written(inner.codes, set.codes) { row, text in
            guard !inner.isNull(row), !set.isNull(row) else { return false }
            let whole = inner.pool.slice(inner.codes[row])
            let rest = TextFunctions.trimmed(
                whole.span,
                of: set.pool.slice(set.codes[row]).span
            )
            text += whole[whole.startIndex + rest.lowerBound..<whole.startIndex + rest.upperBound]
            return true
        }
    }

    private func substring(
        _ inner: TextVector,
        _ start: Vector<Int64>,
        _ length: Vector<Int64>?
    ) -> TextVector {
        var bounds = start
        if let length {
            bounds = Loops.pairs(start, length) { start, _ in start }
            bounds.inherit(start, length)
        }
        return written(inner.codes, bounds) { row, text in
            guard !inner.isNull(row), !bounds.isNull(row) else { return false }
            let whole = inner.pool.slice(inner.codes[row])
            let part = TextFunctions.substring(whole.span, bounds[row], length.map { $0[row] })
            text += whole[whole.startIndex + part.lowerBound..<whole.startIndex + part.upperBound]
            return true
        }
    }

    private func digits(_ inner: Vector<Int64>) -> TextVector {
        written(inner, inner) { row, text in
            guard !inner.isNull(row) else { return false }
            text += String(inner[row]).utf8
            return true
        }
    }

    private func dates(
        _ inner: TextVector,
        _ format: DateFormat,
        _ modifiers: [DateModifier]
    ) -> TextVector {
        written(inner.codes, inner.codes) { row, text in
            guard !inner.isNull(row) else { return false }
            return format.append(inner.pool.slice(inner.codes[row]).span, modifiers, to: &text)
        }
    }

    private func nullIfEqual(_ left: TextVector, _ right: TextVector) -> TextVector {
        let equal = compare(.equal, .text(left), .text(right))
        var codes = Loops.pairs(left.codes, equal) { $1 == Truth.yes.rawValue ? 0 : $0 }
        codes.inherit(left.codes, equal)
        codes.nulls = []
        return TextVector(codes: codes, pool: left.pool)
    }
}
