import Synchronization
public import TripMart

/// What kept the served generation from answering a query, and which generation answered it.
///
/// A class, because queries are values that are passed on; it can be shared between threads.
public final class Fallback: Sendable {
    /// An answer from another generation than the served one.
    public struct Note: Sendable {
        /// What is wrong with the served generation.
        public let damage: MartError
        /// The generation that answered.
        public let generation: Int
    }

    private let state = Mutex<Note?>(nil)

    init() {}

    /// The answer from another generation; nil where the served one answered.
    public var note: Note? { state.withLock { $0 } }

    func record(_ damage: MartError, _ generation: Int) {
        state.withLock { $0 = Note(damage: damage, generation: generation) }
    }
}
