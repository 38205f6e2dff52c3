extension Array {
    /// The first index from which on all elements satisfy the predicate; the end where none does.
    ///
    /// - Precondition: Elements that satisfy the predicate follow all that do not.
    /// - Complexity: O(log *n*).
    @inlinable
    public func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
