/// One record that stands for several trips: the cell that lists units, and how they share amounts.
extension TripBuilder {
    /// The units listed in a cell, each once; blank ones are dropped.
    ///
    /// A unit written twice is one trip: two with one id would supersede each other.
    static func units(
        of cell: [UInt8],
        separator definition: FieldDefinition
    ) -> [[UInt8]] {
        let separator = Array((definition.separator ?? "").utf8)
        var units: [[UInt8]] = []
        var start = 0
        var index = 0
        while index <= cell.count {
            let isEnd = index == cell.count
            guard isEnd || cell[index...].starts(with: separator) else {
                index += 1
                continue
            }
            let unit = cell[start..<index].withUnsafeBufferPointer { Array(trimmed($0)) }
            if !unit.isEmpty, !units.contains(unit) { units.append(unit) }
            index += isEnd ? 1 : separator.count
            start = index
        }
        return units
    }

    /// The amount of one unit: equal shares in whole cents, the odd cents to the first units.
    static func share(of amount: Int64, number: Int, count: Int) -> Int64 {
        let (quotient, rest) = amount.quotientAndRemainder(dividingBy: Int64(count))
        let odd: Int64 = Int64(number) < abs(rest) ? rest.signum() : 0
        return quotient + odd
    }
}
