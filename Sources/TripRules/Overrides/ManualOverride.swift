public import TripDomain

/// A decision that a person made about one trip by hand, valid until a day.
public struct ManualOverride: Sendable, Hashable {
    /// The trip's id, as UTF-8: texts that Swift calls equal may be the ids of two trips.
    public let tripID: [UInt8]
    /// The class it gives.
    public let tripClass: TripClass
    /// The basis it gives; empty where it names none.
    public let basis: String
    /// The person who decided.
    public let author: String
    /// The reason that person gave.
    public let reason: String
    /// The last day the override is valid; compared with the last day of the data, never with a
    /// clock.
    public let expires: CivilDate
    /// Its line in the file, from 1.
    public let lineNumber: Int

    /// Whether the override is in force.
    ///
    /// - Parameter dataThrough: The greatest pick-up date accepted; nil where there are no trips,
    ///   or the day is not known yet: then no override is in force.
    /// - Returns: Whether the override has not expired by that day.
    public func isInForce(_ dataThrough: CivilDate?) -> Bool {
        dataThrough.map { $0 <= expires } ?? false
    }
}

/// A class with its basis, as an override gives it.
public struct OverrideClassAndBasis: Sendable, Hashable {
    /// The class.
    public let tripClass: TripClass
    /// The basis; empty where there is none.
    public let basis: String

    /// Names a class with its basis.
    public init(tripClass: TripClass, basis: String) {
        self.tripClass = tripClass
        self.basis = basis
    }

    /// `contracted (contract)`.
    public var text: String { basis.isEmpty ? tripClass.word : "\(tripClass.word) (\(basis))" }
}

/// Why a list of overrides cannot be used: every fault, in the order of its lines.
public struct OverrideFaults: Error, Sendable {
    /// The faults, each with its line.
    public let faults: [ReferenceFault]

    /// Gathers the faults of a list.
    public init(faults: [ReferenceFault]) {
        self.faults = faults
    }
}
