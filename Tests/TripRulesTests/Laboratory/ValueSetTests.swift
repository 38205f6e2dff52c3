import Testing

@testable import TripEngine
@testable import TripRules

struct ValueSetTests {
    /// The plain reference: a set as the list of the small numbers in it.
    private func members(_ set: ValueSet) -> [Int64] {
        (-1...8).filter { set.contains(.integer($0)) }
    }

    @Test func operationsAgreeWithListsOfMembers() {
        var dice = ExpressionDice(seed: 3)
        for _ in 0..<500 {
            func range() -> ValueSet {
                let low = Int64(dice.roll(8))
                return ValueSet(
                    from: .before(.integer(low)),
                    to: .after(.integer(low + Int64(dice.roll(4))))
                )
            }
            let left = range().union(range()).subtracting(range())
            let right = ValueSet.known.subtracting(range()).intersection(range().union(range()))
            #expect(
                members(left.union(right)) == Array(Set(members(left) + members(right))).sorted()
            )
            #expect(
                members(left.intersection(right)) == members(left).filter(members(right).contains)
            )
            #expect(
                members(left.subtracting(right))
                    == members(left).filter { !members(right).contains($0) }
            )
        }
    }

    @Test func noIntegerLiesBetweenNeighbors() {
        #expect(ValueSet(from: .after(.integer(5)), to: .before(.integer(6))).isEmpty)
        #expect(ValueSet(from: .after(.integer(.max)), to: .end).isEmpty)
        #expect(ValueSet(from: .start, to: .before(.integer(.min))).isEmpty)
        #expect(ValueSet(from: .start, to: .before(.text([]))).isEmpty)
    }

    @Test func nullIsAMemberOfItsOwn() {
        #expect(ValueSet.everything.subtracting(.known) == .null)
        #expect(ValueSet.null.intersection(.known).isEmpty)
        #expect(!ValueSet.null.isEmpty)
    }
}
