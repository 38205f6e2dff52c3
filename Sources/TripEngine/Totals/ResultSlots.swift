/// One place for the result of each piece of work.
///
/// Each place is written by the one piece that has its number and read after all have finished.
final class ResultSlots<Result: Sendable>: @unchecked Sendable {
    // Sendable because no two pieces share a place, and `concurrentPerform` returns only after the
    // last write.
    private let slots: UnsafeMutableBufferPointer<Result?>

    init(count: Int) {
        slots = .allocate(capacity: count)
        slots.initialize(repeating: nil)
    }

    deinit {
        slots.deinitialize()
        slots.deallocate()
    }

    func set(_ index: Int, _ result: Result) {
        slots[index] = result
    }

    /// All results, in order of the pieces; the places are empty afterwards.
    func take() -> [Result] {
        slots.indices.map { index in
            guard let result = slots[index] else {
                preconditionFailure("every piece of work leaves its result")
            }
            slots[index] = nil
            return result
        }
    }
}
