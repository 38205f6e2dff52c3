internal import TripDomain

/// The lines of one source that can belong to a claim, by number in order of exports, and what the
/// join needs of each.
struct ClaimLines: Sendable {
    let positions: [TripPosition]
    /// Per line, the number of its claim, from 1 in order of first appearance.
    let claims: [UInt32]
    /// The greatest number of a claim, of those included that are only named as replaced.
    let claimCount: Int
    let kinds: [ClaimLineDefinition.Kind]
    /// Per line, what its claim does to an earlier one; empty where all are originals.
    let billings: [ClaimLineDefinition.Billing]
    /// Per line, the number of the claim that it replaces, 0 for none; empty where none is named.
    let replaced: [UInt32]
    /// Lines that belong to no claim, or of which it is not known what they are.
    let faults: [JoinedClaims.Fault]

    /// The values of all declared fields.
    let all: LineValues
    let tripID: LineValues
    /// The kind and the shared fields: lines that agree in them are one service of one trip.
    let service: LineValues
    /// The shared fields alone.
    let shared: LineValues
    /// The numbers that are added up.
    let sums: LineValues
    /// Per sum, the greatest that a trip can have: money and miles have nine digits before the
    /// point.
    let limits: [UInt64]
    /// The place among the sums of the amount whose sign tells a reversal; nil where there is none.
    let amount: Int?
    /// The number of a line in its claim; nil where lines have none.
    let number: LineValues?
    /// The text that orders versions; nil where the order of files does.
    let order: LineValues?
    /// Per line, the delivery that brought it, from 0 in order of exports.
    let deliveries: [Int]

    /// Reads the lines.
    ///
    /// - Complexity: O(*n*) in the lines.
    init(_ delivered: DeliveredLines, shape: TripShape) {
        let definition = delivered.definition
        let batches = delivered.batches
        func column(_ name: String) -> Int {
            guard let index = shape.column(ofField: name) else {
                preconditionFailure("a checked pipeline has the fields that `lines` names")
            }
            return index
        }
        let claimColumns = definition.claim.map(column)
        let kindColumn = column(definition.kind)
        var reading = ClaimLineReading(claimColumns: claimColumns, definition.claim)
        for (index, batch) in batches.enumerated() {
            let frequency = definition.frequency.map { frequency in
                ClaimLineReading.Meanings(
                    batch.columns[column(frequency.field)].texts,
                    frequency.values,
                    frequency.field
                )
            }
            reading.read(
                batch,
                number: index,
                kinds: ClaimLineReading.Meanings(
                    batch.columns[kindColumn].texts,
                    definition.kinds,
                    definition.kind
                ),
                billings: frequency,
                replacedColumns: definition.replaced.map(column),
                delivery: delivered.deliveryOfFile[batch.fileIndex] ?? 0
            )
        }
        positions = reading.positions
        claims = reading.claims
        claimCount = reading.interner.count
        kinds = reading.kinds
        billings = reading.billings
        replaced = reading.replaced
        faults = reading.faults
        deliveries = reading.deliveries
        func values(_ columns: [Int]) -> LineValues {
            LineValues(columns, of: batches, positions: reading.positions)
        }
        let sharedColumns = definition.shared.map(column)
        let sumColumns = definition.sums.map { column($0.field) }
        all = values(shape.columns.indices.filter { !shape.columns[$0].isDerived })
        tripID = values([shape.tripIDIndex])
        service = values([kindColumn] + sharedColumns)
        shared = values(sharedColumns)
        sums = values(sumColumns)
        limits = sumColumns.map {
            shape.columns[$0].kind == .integer
                ? UInt64(Int64.max) : SumLimit.tripAmountMax.magnitude
        }
        amount =
            shape.costIndex.flatMap { sumColumns.firstIndex(of: $0) }
            ?? sumColumns.firstIndex { shape.columns[$0].kind == .money }
        number = definition.line.map { values([column($0)]) }
        order = delivered.orderColumn.map { values([$0]) }
    }

    /// Whether a line takes an amount back.
    func isReversal(_ line: Int) -> Bool {
        guard let amount, let cents = sums.integer(line, field: amount) else { return false }
        return cents < 0
    }
}

/// Reads the lines of all batches, one after the other.
private struct ClaimLineReading {
    /// A column of one batch whose texts have meanings.
    struct Meanings<Meaning> {
        let texts: PackedTexts.Reader
        /// Per entry of the pool, what it means; nil for one that means nothing.
        let meanings: [Meaning?]
        let field: String

        init(_ column: PackedTexts, _ meanings: [String: Meaning], _ field: String) {
            texts = column.reader
            self.meanings = (0..<column.poolCount).map { code in
                column.string(code).flatMap { meanings[$0] }
            }
            self.field = field
        }
    }

    var positions: [TripPosition] = []
    var claims: [UInt32] = []
    var kinds: [ClaimLineDefinition.Kind] = []
    var billings: [ClaimLineDefinition.Billing] = []
    var replaced: [UInt32] = []
    var deliveries: [Int] = []
    var faults: [JoinedClaims.Fault] = []
    /// The claims by their numbers.
    var interner = TextInterner()
    private let claimColumns: [Int]
    private let claimFields: [String]

    init(claimColumns: [Int], _ claimFields: [String]) {
        self.claimColumns = claimColumns
        self.claimFields = claimFields
    }

    mutating func read(
        _ batch: PackedBatch,
        number: Int,
        kinds: Meanings<ClaimLineDefinition.Kind>,
        billings: Meanings<ClaimLineDefinition.Billing>?,
        replacedColumns: [Int],
        delivery: Int
    ) {
        let claimTexts = claimColumns.map { batch.columns[$0].texts.reader }
        let replacedTexts = replacedColumns.map { batch.columns[$0].texts.reader }
        withExtendedLifetime(batch) {
            for row in 0..<batch.count {
                let position = TripPosition(batch: UInt32(number), row: UInt32(row))
                if let blank = claimTexts.firstIndex(where: { $0.code(row) == 0 }) {
                    note(position, claimFields[blank], .missingValue)
                    continue
                }
                let kindCode = kinds.texts.code(row)
                guard let kind = kinds.meanings[kindCode] else {
                    note(position, kinds.field, kindCode == 0 ? .missingValue : .unknownValue)
                    continue
                }
                var billing = ClaimLineDefinition.Billing.original
                if let billings, billings.texts.code(row) != 0 {
                    guard let known = billings.meanings[billings.texts.code(row)] else {
                        note(position, billings.field, .unknownValue)
                        continue
                    }
                    billing = known
                }
                positions.append(position)
                self.kinds.append(kind)
                deliveries.append(delivery)
                claims.append(claim(claimTexts, row) ?? 0)
                if billings != nil { self.billings.append(billing) }
                if !replacedTexts.isEmpty {
                    let isNaming = billings == nil || billing != .original
                    replaced.append(isNaming ? claim(replacedTexts, row) ?? 0 : 0)
                }
            }
        }
    }

    private mutating func note(_ position: TripPosition, _ field: String, _ reason: RejectReason) {
        faults.append(JoinedClaims.Fault(line: position, trip: nil, field: field, reason: reason))
    }

    /// The number of the claim that some texts name; nil where one of them is blank.
    private mutating func claim(_ texts: [PackedTexts.Reader], _ row: Int) -> UInt32? {
        if texts.contains(where: { $0.code(row) == 0 }) { return nil }
        if texts.count == 1 {
            return interner.code(of: texts[0][row].assumingMemoryBound(to: UInt8.self))
        }
        // Each text with its size before it, so that no two lists of texts give one key.
        var key: [UInt8] = []
        for text in texts {
            let bytes = text[row]
            withUnsafeBytes(of: UInt32(bytes.count)) { key += $0 }
            key += bytes
        }
        return key.withUnsafeBufferPointer { interner.code(of: $0) }
    }
}
