internal import Dispatch
internal import Glibc

/// Runs jobs on several threads and returns when all are done.
///
/// Jobs are handed out in order to whichever thread is free, so that one long job does not hold up
/// the others. Nothing may depend on which thread runs which job: each writes to its own place.
///
/// - Parameters:
///   - count: The number of jobs.
///   - threads: The greatest number of jobs that run at once.
///   - job: Runs one job, given its index.
func runJobs(count: Int, threads: Int, _ job: (Int) -> Void) {
    guard threads > 1 && count > 1 else {
        for index in 0..<count { job(index) }
        return
    }
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    defer {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
    var nextIndex = 0
    withoutActuallyEscaping(job) { job in
        withUnsafeMutablePointer(to: &nextIndex) { next in
            // These three cross to other threads. All of those have ended when `concurrentPerform`
            // returns; `next` is touched under the mutex alone; `job` keeps its jobs apart, which
            // is what the caller promises.
            nonisolated(unsafe) let (job, next, mutex) = (job, next, mutex)
            DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
                while true {
                    pthread_mutex_lock(mutex)
                    let index = next.pointee
                    next.pointee += 1
                    pthread_mutex_unlock(mutex)
                    guard index < count else { return }
                    job(index)
                }
            }
        }
    }
}
