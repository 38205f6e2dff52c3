import TripDomain

/// The source of the values of one stored column: the readers of all batches.
///
/// The caller keeps the batches alive.
enum TripSource: Sendable {
    /// Codes of the batches' pools, and the stored code of each; 0 is NULL.
    case coded([PackedIntegers.Reader], [[UInt32]])
    /// Texts, unchanged.
    case text([PackedTexts.Reader])
    /// Integers.
    case integer([PackedIntegers.Reader])
    /// Integers that are stored as differences from others.
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

    /// The sources of all stored columns except the trip's number.
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

    /// Fills one column of a block with the values of its trips.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - trips: The trips of the block.
    ///   - texts: The block's bytes, to which texts are appended.
    func fill(_ column: TripBlock.Column, _ trips: BlockTrips, texts: inout [UInt8]) {
        switch self {
        case .coded(let readers, let maps):
            trips.each { batch, trips in
                let codes = readers[batch]
                maps[batch].withUnsafeBufferPointer { map in
                    for trip in trips {
                        let code = map[Int(codes[Int(trip.source)])]
                        code == 0
                            ? column.setNull(Int(trip.row))
                            : column.set(Int(trip.row), integer: Int64(code))
                    }
                }
            }
        case .text(let readers):
            trips.each { batch, trips in
                let reader = readers[batch]
                for trip in trips {
                    let code = reader.code(Int(trip.source))
                    guard code != 0 else {
                        column.setNull(Int(trip.row))
                        continue
                    }
                    let text = reader.entry(code)
                    column.set(Int(trip.row), textAt: texts.count, size: text.count)
                    texts.append(contentsOf: text)
                }
            }
        case .integer(let readers):
            trips.each { batch, trips in
                let reader = readers[batch]
                for trip in trips {
                    column.set(Int(trip.row), reader.value(Int(trip.source)))
                }
            }
        case .offset(let readers, let locals):
            trips.each { batch, trips in
                let (reader, local) = (readers[batch], locals[batch])
                for trip in trips {
                    let row = Int(trip.source)
                    column.set(Int(trip.row), reader.value(row).map { $0 - local[row] })
                }
            }
        case .real(let columns):
            trips.each { batch, trips in
                let values = columns[batch]
                for trip in trips {
                    let row = Int(trip.source)
                    values.isNull(row)
                        ? column.setNull(Int(trip.row))
                        : column.set(Int(trip.row), real: values.values[row])
                }
            }
        case .patient(let readers, let maps, let refs):
            trips.each { batch, trips in
                let codes = readers[batch]
                maps[batch].withUnsafeBufferPointer { map in
                    for trip in trips {
                        let number = Int(map[Int(codes[Int(trip.source)])])
                        column.set(Int(trip.row), number == 0 ? nil : refs[number - 1])
                    }
                }
            }
        case .perBatch(let values):
            trips.each { batch, trips in
                for trip in trips { column.set(Int(trip.row), integer: values[batch]) }
            }
        }
    }
}
