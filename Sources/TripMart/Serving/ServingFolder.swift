import Synchronization
import TripDomain

/// The generation a server answers from: the one the mart's link names, as long as it can be read.
///
/// Safe to be shared between threads. Whoever asks gets one whole generation and keeps it for as long as
/// the answer takes; moving on to a newer one waits for nobody.
public final class ServingFolder: Sendable {
    private let folder: MartFolder
    private let state = Mutex(State())

    private struct State {
        var served: ServedGeneration?
        var failure: Failure?
    }

    /// What the link named when it could not be served, and why not.
    private struct Failure: Equatable {
        let generation: Int?
        let code: MartError.Code
    }

    /// What looking for a newer generation came to.
    public enum Change: Sendable {
        /// The link names what is served already.
        case none
        /// Another generation is served from now on.
        case moved(ServedGeneration)
        /// The generation the link names cannot be read; what was served before still is, or an older one
        /// that can be read, if there is any.
        case failed(generation: Int?, MartError)
    }

    /// Names the mart; nothing is served before the first ``refresh()``.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// What is served now; nil where nothing is published, or nothing of it can be read.
    public var current: ServedGeneration? { state.withLock { $0.served } }

    /// Whether the link names what cannot be read, so that something older is served, or nothing.
    public var isFallenBack: Bool { state.withLock { $0.failure != nil } }

    /// Looks where the link points, and moves on where that is another generation.
    ///
    /// - Returns: What changed; a failure is reported once.
    /// - Complexity: One look at the link where nothing changed; else O(*n*) in the cells of the cube.
    public func refresh() -> Change {
        do throws(MartError) {
            guard let number = try folder.servedNumber() else { return .none }
            let known = state.withLock { ($0.served?.header.number, $0.failure?.generation) }
            if known.0 == number || known.1 == number { return .none }
            return open(number)
        } catch {
            return fail(nil, error)
        }
    }

    private func open(_ number: Int) -> Change {
        do throws(MartError) {
            let generation = try ServedGeneration(folder, number: number)
            state.withLock { ($0.served, $0.failure) = (generation, nil) }
            return .moved(generation)
        } catch {
            return fail(number, error)
        }
    }

    /// Keeps what is served, or takes the newest older generation that can be read.
    private func fail(_ number: Int?, _ error: MartError) -> Change {
        let failure = Failure(generation: number, code: error.code)
        let (served, wasKnown) = state.withLock { state in
            let wasKnown = state.failure == failure
            state.failure = failure
            return (state.served, wasKnown)
        }
        if served == nil {
            // A folder that cannot be listed leaves nothing to fall back to; the failure is reported.
            let others = (try? folder.generationNumbers()) ?? []
            let older = others.reversed().lazy.filter { $0 < number ?? .max }
            // Each that cannot be read leads to the next older one.
            let found = older.compactMap { try? ServedGeneration(self.folder, number: $0) }.first
            state.withLock { $0.served = $0.served ?? found }
        }
        return wasKnown ? .none : .failed(generation: number, error)
    }
}
