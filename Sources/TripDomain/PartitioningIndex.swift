extension Array {
    /// The first index from which on all elements answer yes; the end where none does.
    ///
    /// - Precondition: No element behind one that answers yes answers no.
    /// - Complexity: O(log *n*).
    @inlinable
    public func partitioningIndex(_ answer: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if answer(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
