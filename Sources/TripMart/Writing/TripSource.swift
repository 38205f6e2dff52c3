import TripDomain

/// Where the values of one stored column come from: the column's arrays of all batches.
enum TripSource: Sendable {
    /// Codes of the batches' pools, and what each becomes; 0 is NULL.
    case coded([[UInt32]], [[UInt32]])
    /// Codes of the batches' pools, the pools' bytes and where their entries end.
    case text([[UInt32]], [[UInt8]], [[UInt32]])
    /// Integers, with marks of NULL where a batch has any.
    case integer([[Int64]], [[Bool]])
    /// Integers to be kept as what they exceed others by.
    case offset([[Int64]], [[Bool]], [[Int64]])
    /// Doubles, with marks of NULL where a batch has any.
    case real([[Double]], [[Bool]])
    /// Codes of the batches' pools, the patient each stands for, and the references.
    case patient([[UInt32]], [[UInt32]], [Int64])
    /// Small numbers without NULL.
    case number([[UInt32]])
    /// Smaller numbers without NULL.
    case small([[UInt16]])
    /// Truths.
    case truth([[Bool]])
    /// One number per batch.
    case perBatch([Int64])

    init(
        _ batches: [TripBatch],
        _ index: Int,
        _ storage: TripStorage,
        coding: TextCoding,
        patients: PatientTable
    ) {
        let columns = batches.map { $0.columns[index] }
        switch storage {
        case .codedText:
            self = .coded(columns.map(\.texts.codes), coding.codes[index, default: []])
        case .inlineText:
            self = .text(
                columns.map(\.texts.codes),
                columns.map(\.texts.pool.bytes),
                columns.map(\.texts.pool.ends)
            )
        case .integer, .days, .seconds:
            self = .integer(columns.map(\.integers.values), columns.map(\.integers.nulls))
        case .offset(let local):
            // The two columns of a time stamp come from one text, and are NULL together.
            self = .offset(
                columns.map(\.integers.values),
                columns.map(\.integers.nulls),
                batches.map { $0.columns[local].integers.values }
            )
        case .real:
            let reals = columns.map(Self.reals)
            self = .real(reals.map(\.values), reals.map(\.nulls))
        case .patient:
            self = .patient(
                columns.map(\.texts.codes),
                patients.numbers[index, default: []],
                patients.refs
            )
        }
    }

    /// The columns every trip has, in the order of ``TripTables/fixedColumns``.
    static func fixed(_ batches: [TripBatch]) -> [TripSource] {
        [
            .small(batches.map(\.ruleNumbers)), .truth(batches.map(\.counted)),
            .perBatch(batches.map { Int64($0.fileIndex + 1) }),
            .number(batches.map(\.recordNumbers)), .number(batches.map(\.lineNumbers)),
        ]
    }

    /// Fills one column of a block with the values of the given trips.
    func fill(_ block: TripBlock, _ column: Int, _ places: ArraySlice<TripPlace>) {
        switch self {
        case .coded(let codes, let map):
            Self.each(places) { row, batch, place in
                let code = map[batch][Int(codes[batch][place])]
                code == 0
                    ? block.setNull(column, row) : block.set(column, row, integer: Int64(code))
            }
        case .text(let codes, let bytes, let ends):
            Self.fillText(block, column, places, codes, bytes, ends)
        case .integer(let values, let nulls):
            Self.each(places) { row, batch, place in
                !nulls[batch].isEmpty && nulls[batch][place]
                    ? block.setNull(column, row)
                    : block.set(column, row, integer: values[batch][place])
            }
        case .offset(let values, let nulls, let locals):
            Self.each(places) { row, batch, place in
                !nulls[batch].isEmpty && nulls[batch][place]
                    ? block.setNull(column, row)
                    : block.set(
                        column,
                        row,
                        integer: values[batch][place] - locals[batch][place]
                    )
            }
        case .real(let values, let nulls):
            Self.each(places) { row, batch, place in
                !nulls[batch].isEmpty && nulls[batch][place]
                    ? block.setNull(column, row)
                    : block.set(column, row, real: values[batch][place])
            }
        case .patient(let codes, let map, let refs):
            Self.each(places) { row, batch, place in
                let number = Int(map[batch][Int(codes[batch][place])])
                number == 0
                    ? block.setNull(column, row)
                    : block.set(column, row, integer: refs[number - 1])
            }
        case .number, .small, .truth, .perBatch:
            fillFixed(block, column, places)
        }
    }

    private func fillFixed(_ block: TripBlock, _ column: Int, _ places: ArraySlice<TripPlace>) {
        switch self {
        case .number(let values):
            Self.each(places) { row, batch, place in
                block.set(column, row, integer: Int64(values[batch][place]))
            }
        case .small(let values):
            Self.each(places) { row, batch, place in
                block.set(column, row, integer: Int64(values[batch][place]))
            }
        case .truth(let values):
            Self.each(places) { row, batch, place in
                block.set(column, row, integer: values[batch][place] ? 1 : 0)
            }
        case .perBatch(let values):
            Self.each(places) { row, batch, _ in
                block.set(column, row, integer: values[batch])
            }
        default:
            preconditionFailure("the caller hands over fixed columns alone")
        }
    }

    private static func fillText(
        _ block: TripBlock,
        _ column: Int,
        _ places: ArraySlice<TripPlace>,
        _ codes: [[UInt32]],
        _ bytes: [[UInt8]],
        _ ends: [[UInt32]]
    ) {
        each(places) { row, batch, place in
            let code = Int(codes[batch][place])
            if code == 0 {
                block.setNull(column, row)
            } else {
                let range = Int(ends[batch][code - 1])..<Int(ends[batch][code])
                block.set(column, row, text: bytes[batch][range])
            }
        }
    }

    @inline(__always)
    private static func each(_ places: ArraySlice<TripPlace>, _ body: (Int, Int, Int) -> Void) {
        var row = 0
        for place in places {
            body(row, Int(place.batch), Int(place.row))
            row += 1
        }
    }

    private static func reals(_ column: Column) -> RealColumn {
        guard case .real(let reals) = column else {
            preconditionFailure("the shape says this column holds doubles")
        }
        return reals
    }
}
