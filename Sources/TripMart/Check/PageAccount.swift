/// Checks that every page of a file belongs to exactly one tree or list.
struct PageAccount {
    private var isTaken: [Bool]
    private let lockPage: Int
    private var isSound = true

    /// - Parameters:
    ///   - pageCount: The pages of the file.
    ///   - lockPage: The page that holds locks and never data.
    init(pageCount: Int, lockPage: Int) {
        isTaken = Array(repeating: false, count: pageCount)
        self.lockPage = lockPage
        if lockPage <= pageCount { take([UInt32(lockPage)]) }
    }

    /// Marks the pages of a tree, or the free pages, as taken.
    mutating func take(_ pages: [UInt32]) {
        for page in pages {
            let index = Int(page) - 1
            guard isTaken.indices.contains(index), !isTaken[index] else {
                isSound = false
                continue
            }
            isTaken[index] = true
        }
    }

    /// Whether every page was taken once.
    var isWhole: Bool { isSound && !isTaken.contains(false) }
}
