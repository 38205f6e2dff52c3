import Testing
import TripDomain

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("claims_20261101.csv.gz", "claims_20261101.csv.gz"), ("a b", "'a b'"), ("", "''"),
        ("it's", "'it'\\''s'"), ("$(x)", "'$(x)'"), ("é.csv", "'é.csv'"), ("~/x", "'~/x'"),
        // The quote and the accent on it are one character of Swift, and two of the shell.
        ("a'\u{301};id;'b", "'a'\\''\u{301};id;'\\''b'"),
        ("a\nb", "$'a\\x0ab'"), ("\u{1B}'\\", "$'\\x1b\\'\\\\'"),
        ("é\u{202E}", "$'é\\xe2\\x80\\xae'"),
    ])
    func wordsWithShellCharactersAreQuoted(word: String, text: String) {
        #expect(ShellWord.quoted(word) == text)
    }
}
