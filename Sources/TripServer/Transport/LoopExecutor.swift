import NIOCore

/// Runs what a connection asks on the thread that reads and writes for it.
///
/// No request then waits for another thread to wake up, twice: to answer, and to send the answer. What takes long is not done
/// there but handed on: files to ``FileWork``, accounts to their store's own thread, passwords to theirs.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// - Parameter loop: The connection's.
    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
