import Testing
import TripDomain

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("claims_20261101.csv.gz", "claims_20261101.csv.gz"), ("a b", "'a b'"), ("", "''"),
        ("it's", "'it'\\''s'"), ("$(x)", "'$(x)'"), ("é.csv", "'é.csv'"), ("~/x", "'~/x'"),
    ])
    func wordsWithShellCharactersAreQuoted(word: String, text: String) {
        #expect(ShellWord.quoted(word) == text)
    }
}
