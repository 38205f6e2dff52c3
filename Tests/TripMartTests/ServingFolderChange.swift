import TripDomain

@testable import TripMart

extension ServingFolder {
    /// The first change that an inspection reports; none where no file is damaged.
    var inspected: Change { inspect().first { !$0.isNone } ?? .none }
}

extension ServingFolder.Change {
    /// Whether another generation is served.
    func isMoved(to number: Int) -> Bool {
        if case .moved(let generation) = self { generation.header.number == number } else { false }
    }

    /// Whether a generation cannot be served; nil where the link names none.
    func isFailed(at number: Int?) -> Bool {
        if case .failed(let generation, _) = self { generation == number } else { false }
    }

    var isNone: Bool { if case .none = self { true } else { false } }
}
