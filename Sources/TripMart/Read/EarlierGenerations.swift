import TripDomain

/// The generations that are answered from where the published one is damaged.
extension MartFolder {
    /// The generations whose trips are kept and that were in force before another one, newest
    /// first.
    ///
    /// Before a rollback, that is the generation whose content it published again: those between
    /// hold what it withdrew.
    ///
    /// - Parameter number: The generation; nil stands for one after the newest.
    /// - Returns: Their numbers.
    /// - Throws: ``MartError`` of the folders.
    func generations(before number: Int?) throws(MartError) -> [Int] {
        let published = try publishedNumbers()
        let kept = Set(try generationNumbers())
        var earlier: [Int] = []
        var current = number
        while let next = before(current, in: published) {
            if kept.contains(next) { earlier.append(next) }
            current = next
        }
        return earlier
    }

    private func before(_ number: Int?, in published: [Int]) -> Int? {
        guard let number else { return published.last }
        if let content = contentOf(number), content < number { return content }
        return published.last { $0 < number }
    }

    /// The generation whose content a rollback published again under a number; nil where none did.
    func contentOf(_ number: Int) -> Int? {
        // Where neither file says that it was a rollback, it is taken for none.
        let content =
            (try? PublishedCube.open(self, generation: number).file.meta("content_of"))
            ?? (try? ServedMart.open(self, generation: number).file.meta("content_of"))
        return content.flatMap { Int($0) }
    }

    /// Refuses a suppressed cube of which a byte is not as it was published.
    ///
    /// - Parameter number: The generation.
    /// - Throws: ``MartError`` with code `damaged`; of the file.
    public func requireWholeKPI(_ number: Int) throws(MartError) {
        let kpi = try MartFile(path: kpiPath(number), sums: .used)
        try kpi.requireWhole()
        let numbers = try kpi.rows("SELECT number FROM generation") { try $0[0] as Int }
        guard numbers == [number] else { throw kpi.damaged() }
    }

    /// Whether the file of a generation is its own, and as its check sums say.
    func isWhole(_ number: Int) -> Bool {
        do throws(MartError) {
            try ServedMart.open(self, generation: number).file.requireWhole()
            return true
        } catch {
            return false
        }
    }

    /// An answer from the published generation or, where its file is damaged or missing, from the
    /// newest one before it that gives the answer.
    ///
    /// - Parameters:
    ///   - fellBack: Called with what keeps the published generation from answering, and with the
    ///     generation that answers.
    ///   - ask: Gives the answer of a generation.
    /// - Returns: The answer.
    /// - Throws: ``MartError`` with code `nothingServed`, or of the published generation where no
    ///   other one answers; the errors of `ask`.
    public func answer<Value>(
        fellBack: (MartError, Int) -> Void,
        _ ask: (ServedMart) throws -> Value
    ) throws -> Value {
        let served = try ServedMart.number(in: self)
        do {
            return try ask(ServedMart.open(self, generation: served))
        } catch let damage as MartError where damage.isDamage(of: generationPath(served)) {
            for number in try generations(before: served) {
                do {
                    let mart = try ServedMart.open(self, generation: number)
                    try mart.file.requireWhole()
                    fellBack(damage, number)
                    return try ask(mart)
                } catch let error as MartError where error.isDamage(of: generationPath(number)) {
                    continue
                }
            }
            throw damage.code == .notFound ? missing(served) : damage
        }
    }

    /// The error of a published generation whose file is missing.
    private func missing(_ number: Int) -> MartError {
        MartError(
            .damaged,
            file: generationPath(number),
            remedy: "The file of the published generation is missing. " + MartError.waysOut
        )
    }
}

extension MartError {
    /// Whether it says that a published file is not as it was written, or no longer there.
    public func isDamage(of file: String) -> Bool {
        guard position?.file == file || position?.file == SumFile.path(for: file) else {
            return false
        }
        return code == .damaged || code == .notFound && !FileSystem.exists(file)
    }
}
