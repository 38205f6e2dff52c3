import TripMart

/// What routes answer from: the generation that is served, and the time.
struct Board: Sendable {
    let folder: ServingFolder
    /// Now, in seconds of UTC.
    let now: @Sendable () -> Int64

    /// The generation to answer from; whoever asks keeps to it until the answer is whole.
    func served() throws(Problem) -> ServedGeneration {
        guard let generation = folder.current else { throw .nothingServed }
        return generation
    }

    /// Whether what the mart's link names cannot be read.
    var isFallenBack: Bool { folder.isFallenBack }
}
