/// Independent pieces of work on several threads.
public enum ParallelWork {
    /// Computes one result per piece.
    ///
    /// What a piece computes must depend on its number alone; then results do not depend on the
    /// threads.
    ///
    /// - Parameters:
    ///   - count: The number of pieces.
    ///   - threadCount: The greatest number of pieces that run at once.
    ///   - work: Computes the result of one piece, given its number from 0.
    /// - Returns: The results in order of the pieces.
    public static func map<Result: Sendable>(
        count: Int,
        threadCount: Int,
        _ work: @Sendable (Int) -> Result
    ) -> [Result] {
        let slots = ResultSlots<Result>(count: count)
        runJobs(count: count, threads: threadCount) { slots.set($0, work($0)) }
        return slots.take()
    }
}
