import Testing

@testable import TripMart

@Suite struct PageAccountTests {
    @Test func everyPageTakenOnceIsSound() {
        var account = PageAccount(pageCount: 5, lockPage: 4)
        account.take([1, 3])
        account.take([5])
        #expect(!account.isWhole)
        account.take([2])
        #expect(account.isWhole)
    }

    @Test(arguments: [[2, 2], [2, 4], [2, 1], [2, 6], [2, 0]] as [[UInt32]])
    func aPageTakenTwiceOrOutsideTheFileIsNotSound(pages: [UInt32]) {
        var account = PageAccount(pageCount: 5, lockPage: 4)
        account.take([1, 3, 5])
        account.take(pages)
        #expect(!account.isWhole)
    }
}
