public import TripDomain

/// An expression made ready to run over batches of trips.
///
/// A program is a value. Several threads may run it at once, and its result for a trip does not
/// depend on the batch.
public struct Program: Sendable {
    /// The node at the top.
    enum Root: Sendable {
        case condition(TruthNode)
        case value(ValueNode)
    }

    /// The values of a batch.
    public struct Values: Sendable {
        /// A value per trip.
        public let column: Column
        /// The trips whose value rests on a sum that left 64 bits and counts as NULL.
        public let overflowCount: Int
    }

    /// The truths of a batch.
    public struct Truths: Sendable {
        /// ``Truth`` per trip, as its raw value.
        public let bytes: [UInt8]
        /// Whether a trip's truth rests on a sum that left 64 bits; empty where none does.
        public let overflows: [Bool]

        /// The truth of one trip.
        public subscript(row: Int) -> Truth { Truth(rawValue: bytes[row]) ?? .unknown }

        /// The trips whose truth rests on a sum that left 64 bits and counts as NULL.
        public var overflowCount: Int { overflows.count { $0 } }
    }

    let root: Root
    let kinds: [ColumnKind]
    /// The columns and lookup columns the expression names, each once, in order of appearance.
    public let namesUsed: [String]

    /// The type of the expression; conditions give INTEGER.
    public var resultType: ValueType {
        switch root {
        case .condition: .integer
        case .value(let node): node.type
        }
    }

    /// Whether the expression gives 0, 1 or NULL and nothing else, being a condition.
    var isTruth: Bool {
        switch root {
        case .condition: true
        case .value(.integer(let node)): if case .truth = node.operation { true } else { false }
        case .value: false
        }
    }

    /// Computes a value per trip; a condition gives 0 and 1.
    ///
    /// - Parameter frame: The batch, with a column per column of the scope and matches per lookup.
    /// - Returns: The values, 0 or code 0 where they are NULL.
    /// - Complexity: O(*n*) in the trips times the operations that depend on more than one text
    ///   column or lookup; the others run once per distinct value.
    public func evaluate(_ frame: Frame) -> Values {
        let evaluation = Evaluation(.trips(frame, kinds: kinds))
        switch root {
        case .condition(let node):
            return finish(evaluation.integers(IntegerNode(.truth(node), node.source)), frame)
        case .value(.integer(let node)): return finish(evaluation.integers(node), frame)
        case .value(.real(let node)):
            let vector = evaluation.reals(node).expanded(to: frame.rowCount)
            let values =
                vector.nulls.isEmpty
                ? vector.values
                : zip(vector.values, vector.nulls)
                    .map { $1 ? 0 : $0 }
            return Values(
                column: .real(RealColumn(values: values, nulls: vector.nulls)),
                overflowCount: vector.overflows.count { $0 }
            )
        case .value(.text(let node)):
            let texts = evaluation.texts(node)
            let codes = texts.codes.expanded(to: frame.rowCount)
            return Values(
                column: .text(TextColumn(codes: codes.values, pool: texts.pool)),
                overflowCount: codes.overflows.count { $0 }
            )
        }
    }

    private func finish(_ vector: Vector<Int64>, _ frame: Frame) -> Values {
        let vector = vector.expanded(to: frame.rowCount)
        let values =
            vector.nulls.isEmpty
            ? vector.values
            : Loops.pairs(vector, Vector<Bool>(values: vector.nulls)) { $0 & ($1 ? 0 : -1) }.values
        return Values(
            column: .integer(IntegerColumn(values: values, nulls: vector.nulls)),
            overflowCount: vector.overflows.count { $0 }
        )
    }

    /// Computes a truth per trip.
    ///
    /// - Parameter frame: The batch, with a column per column of the scope and matches per lookup.
    /// - Returns: The truths.
    /// - Precondition: The program was compiled as a condition.
    public func truths(_ frame: Frame) -> Truths {
        truths(Evaluation(.trips(frame, kinds: kinds)))
    }

    func truths(_ evaluation: Evaluation) -> Truths {
        guard case .condition(let node) = root else {
            preconditionFailure("the program was compiled as a value")
        }
        let vector = evaluation.truth(node).expanded(to: evaluation.rowCount)
        return Truths(bytes: vector.values, overflows: vector.overflows)
    }
}
