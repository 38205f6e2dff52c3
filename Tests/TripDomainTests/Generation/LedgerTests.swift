import Testing
import TripDomain

@Suite struct LedgerTests {
    @Test func aLedgerBalancesWhenEveryItemIsExplained() {
        var ledger = Ledger()
        ledger.read = LedgerAmount(items: 3, cents: 500, unpriced: 1)
        ledger[.accepted] = LedgerAmount(items: 2, cents: 500)
        #expect(ledger.read != ledger.explained)
        ledger[.rejected] = LedgerAmount(items: 1, cents: 0, unpriced: 1)
        #expect(ledger.read == ledger.explained)
    }

    @Test func aWrongAmountMakesALedgerUnbalanced() {
        var ledger = Ledger()
        ledger.read = LedgerAmount(items: 1, cents: 500)
        ledger[.accepted] = LedgerAmount(items: 1, cents: 499)
        #expect(ledger.read != ledger.explained)
    }
}
