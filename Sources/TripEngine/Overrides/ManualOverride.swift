public import TripDomain

/// What somebody decided about one trip by hand, until a day.
public struct ManualOverride: Sendable, Hashable {
    /// The trip's id, as UTF-8: texts that Swift calls equal may be the ids of two trips.
    public let tripID: [UInt8]
    /// The class it gives.
    public let tripClass: TripClass
    /// The basis it gives; empty where it names none.
    public let basis: String
    /// Who decided.
    public let author: String
    /// Why.
    public let reason: String
    /// The last day it holds, held against the last day of the data, never against a clock.
    public let expires: CivilDate
    /// The line of the file it stands in, from 1.
    public let lineNumber: Int

    /// Whether it holds.
    ///
    /// - Parameter dataThrough: The greatest pick-up date accepted; nil where there are no trips, or the day is not known
    ///   yet: then it decides nothing.
    /// - Returns: Whether it has not expired by then.
    public func isInForce(_ dataThrough: CivilDate?) -> Bool {
        dataThrough.map { $0 <= expires } ?? false
    }
}

/// A class with its basis.
public struct OverrideGround: Sendable, Hashable {
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
    public let faults: [EngineError]
}
