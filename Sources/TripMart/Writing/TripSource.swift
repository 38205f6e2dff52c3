import TripDomain

/// Where the values of one stored column come from: the readers of all batches.
///
/// Whoever uses it keeps the batches alive.
enum TripSource: Sendable {
    /// Codes of the batches' pools, and what each becomes; 0 is NULL.
    case coded([PackedIntegers.Reader], [[UInt32]])
    /// Texts as they are.
    case text([PackedTexts.Reader])
    /// Integers.
    case integer([PackedIntegers.Reader])
    /// Integers to be kept as what they exceed others by.
    case offset([PackedIntegers.Reader], [PackedIntegers.Reader])
    /// Doubles.
    case real([RealColumn])
    /// Codes of the batches' pools, the patient each stands for, and the references.
    case patient([PackedIntegers.Reader], [[UInt32]], [Int64])
    /// One number per batch.
    case perBatch([Int64])

    init(
        _ batches: [PackedBatch],
        _ index: Int,
        _ storage: TripStorage,
        coding: TextCoding,
        patients: PatientTable
    ) {
        let columns = batches.map { $0.columns[index] }
        switch storage {
        case .codedText:
            self = .coded(columns.map(\.texts.codes.reader), coding.codes[index, default: []])
        case .inlineText:
            self = .text(columns.map(\.texts.reader))
        case .integer, .days, .seconds:
            self = .integer(columns.map(\.integers.reader))
        case .offset(let local):
            // The two columns of a time stamp come from one text, and are NULL together.
            self = .offset(
                columns.map(\.integers.reader),
                batches.map { $0.columns[local].integers.reader }
            )
        case .real:
            self = .real(columns.map(\.reals))
        case .patient:
            self = .patient(
                columns.map(\.texts.codes.reader),
                patients.numbers[index, default: []],
                patients.refs
            )
        }
    }

    /// The sources of all stored columns but the trip's number.
    static func all(
        _ contents: GenerationContents,
        tables: TripTables,
        coding: TextCoding,
        patients: PatientTable
    ) -> [TripSource] {
        tables.storage.indices.map { index in
            TripSource(
                contents.batches,
                index,
                tables.storage[index],
                coding: coding,
                patients: patients
            )
        } + fixed(contents.batches)
    }

    /// The columns every trip has, in the order of ``TripTables/fixedColumns``.
    private static func fixed(_ batches: [PackedBatch]) -> [TripSource] {
        [
            .integer(batches.map(\.ruleNumbers.reader)), .integer(batches.map(\.counted.reader)),
            .perBatch(batches.map { Int64($0.fileIndex + 1) }),
            .integer(batches.map(\.recordNumbers.reader)),
            .integer(batches.map(\.lineNumbers.reader)),
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
        case .text(let readers):
            Self.each(places) { row, batch, place in
                let code = readers[batch].code(place)
                code == 0
                    ? block.setNull(column, row)
                    : block.set(column, row, text: readers[batch].entry(code))
            }
        case .integer(let readers):
            Self.each(places) { row, batch, place in
                block.set(column, row, readers[batch].value(place))
            }
        case .offset(let readers, let locals):
            Self.each(places) { row, batch, place in
                block.set(
                    column,
                    row,
                    readers[batch].value(place).map { $0 - locals[batch][place] }
                )
            }
        case .real(let columns):
            Self.each(places) { row, batch, place in
                columns[batch].isNull(place)
                    ? block.setNull(column, row)
                    : block.set(column, row, real: columns[batch].values[place])
            }
        case .patient(let codes, let map, let refs):
            Self.each(places) { row, batch, place in
                let number = Int(map[batch][Int(codes[batch][place])])
                block.set(column, row, number == 0 ? nil : refs[number - 1])
            }
        case .perBatch(let values):
            Self.each(places) { row, batch, _ in
                block.set(column, row, integer: values[batch])
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
}
