/// The carrier of a trip: VA itself, a vendor, or not decided by any rule.
public enum TripClass: UInt8, Sendable, CaseIterable, Comparable {
    /// No rule held for the trip, or the one that did gives this class.
    case undetermined = 0
    /// VA's own vehicle and crew.
    case inHouse = 1
    /// A vendor, with or without a contract.
    case contracted = 2

    /// Reads the word used in pipelines, tables and flags.
    ///
    /// - Parameter word: `in_house`, `contracted` or `undetermined`.
    public init?(word: String) {
        guard let match = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = match
    }

    /// The word used in pipelines, tables and flags.
    public var word: String {
        switch self {
        case .undetermined: "undetermined"
        case .inHouse: "in_house"
        case .contracted: "contracted"
        }
    }

    /// The class with its basis: `in_house/va_fleet`; the class alone where there is no basis.
    ///
    /// - Parameter basis: The basis; empty where there is none.
    /// - Returns: The words, as plans store them and screens show them.
    public func word(basis: String) -> String { basis.isEmpty ? word : "\(word)/\(basis)" }

    /// Orders classes as tables list them: undetermined, in-house, contracted.
    public static func < (left: TripClass, right: TripClass) -> Bool {
        left.rawValue < right.rawValue
    }
}
