import TripDomain

/// The text columns that are stored by code, and the code of every value.
///
/// A code depends on the values of the accepted trips alone: values are sorted by their bytes
/// before they are numbered, so that chunks, threads and the order of arrival have no influence.
struct TextCoding {
    /// The maximum number of distinct values of a column that is stored by code.
    ///
    /// Above it a code would save nothing, and the table of values would no longer be small.
    ///
    /// A column's number of distinct values does not depend on how the trips were cut into batches,
    /// and so neither does this choice.
    static let distinctLimit = 65_536

    /// For each coded column, by its index in the shape: for each batch, the code of each entry of
    /// the batch's pool; 0 where no accepted trip uses it.
    private(set) var codes: [Int: [[UInt32]]] = [:]
    /// The values in order of their codes, which count from 1.
    private(set) var values: [ArraySlice<UInt8>] = []

    /// A text column of all batches.
    struct Source: Sendable {
        /// Its index in the shape.
        let index: Int
        /// Its texts, batch by batch.
        let texts: [PackedTexts]
        /// Whether it is stored by code whatever its number of values.
        let isAlwaysCoded: Bool

        init(_ shape: TripShape, _ index: Int, _ texts: [PackedTexts]) {
            self.index = index
            self.texts = texts
            isAlwaysCoded =
                index == shape.regionIndex || index == shape.tripTypeIndex
                || shape.columns[index].name == Reconciliation.statusName
        }
    }

    /// Codes all text columns except the trip id.
    init(
        _ contents: GenerationContents,
        accepted: [[Bool]],
        limit distinctLimit: Int,
        threads: Int
    ) {
        let shape = contents.shape
        let sources = shape.columns.indices.filter {
            shape.columns[$0].kind == .text && $0 != shape.tripIDIndex
        }.map { index in
            Source(shape, index, contents.batches.map { $0.columns[index].texts })
        }
        self.init(sources, accepted: accepted, limit: distinctLimit, threads: threads)
    }

    /// Codes some text columns.
    ///
    /// - Parameters:
    ///   - sources: The columns.
    ///   - accepted: For each batch, which rows are accepted.
    ///   - kept: Further values that receive a code.
    ///   - distinctLimit: The maximum number of values of a column that is stored by code.
    ///   - threads: The number of threads; the codes do not depend on it.
    /// - Complexity: O(*n*) in the trips for each column.
    init(
        _ sources: [Source],
        accepted: [[Bool]],
        kept: [ArraySlice<UInt8>] = [],
        limit distinctLimit: Int,
        threads: Int
    ) {
        let numbered = Parallel.map(sources.count, threads: threads) { column in
            let source = sources[column]
            let limit = source.isAlwaysCoded ? Int(UInt32.max) : distinctLimit
            return Self.number(source.texts, accepted, limit: limit)
        }
        var interners: [(column: Int, values: TextInterner)] = []
        for (source, found) in zip(sources, numbered) {
            guard let found else { continue }
            interners.append((source.index, found.values))
            codes[source.index] = found.numbers
        }
        values = Self.sortedDistinct(interners.map(\.values), kept)
        for (column, found) in interners {
            let final = finalCodes(found)
            for batch in codes[column, default: []].indices {
                Self.translate(&codes[column, default: []][batch], by: final)
            }
        }
    }

    /// Numbers the values of one column, from 1; nil where there are more than the limit.
    static func number(
        _ columns: [PackedTexts],
        _ accepted: [[Bool]],
        limit: Int
    ) -> (values: TextInterner, numbers: [[UInt32]])? {
        var values = TextInterner()
        var numbers: [[UInt32]] = []
        numbers.reserveCapacity(columns.count)
        for (texts, isAccepted) in zip(columns, accepted) {
            var local = [UInt32](repeating: 0, count: texts.poolCount)
            withExtendedLifetime(texts) {
                let reader = texts.reader
                for row in isAccepted.indices where isAccepted[row] {
                    let code = reader.code(row)
                    guard code != 0, local[code] == 0 else { continue }
                    let entry = reader.entry(code).assumingMemoryBound(to: UInt8.self)
                    local[code] = values.code(of: entry)
                }
            }
            if values.count > limit { return nil }
            numbers.append(local)
        }
        return (values, numbers)
    }

    private static func sortedDistinct(
        _ interners: [TextInterner],
        _ kept: [ArraySlice<UInt8>]
    ) -> [ArraySlice<UInt8>] {
        var all = kept
        for found in interners {
            all += found.codes.map { found.pool.slice($0) }
        }
        all.sort { $0.lexicographicallyPrecedes($1) }
        var distinct: [ArraySlice<UInt8>] = []
        for value in all where distinct.last != value {
            distinct.append(value)
        }
        return distinct
    }

    /// The stored code of each number of one column; 0 for 0.
    private func finalCodes(_ found: TextInterner) -> [UInt32] {
        let pool = found.pool
        let order = found.codes.sorted {
            pool.slice($0).lexicographicallyPrecedes(pool.slice($1))
        }
        var final = [UInt32](repeating: 0, count: pool.count)
        var index = 0
        for number in order {
            // Both lists are sorted, so that one pass over the values finds every number.
            while values[index] != pool.slice(number) { index += 1 }
            final[Int(number)] = UInt32(index + 1)
        }
        return final
    }

    private static func translate(_ numbers: inout [UInt32], by final: [UInt32]) {
        for index in numbers.indices { numbers[index] = final[Int(numbers[index])] }
    }
}
