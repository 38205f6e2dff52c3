import Testing

@testable import TripIdentity

@Suite struct PasswordRulesTests {
    @Test(arguments: [
        ("fourteen chars", PasswordRules.Breach.tooShort),
        (String(repeating: "long enough ", count: 30), .tooLong),
        ("my name is someone and i like it", .containsName),
        ("aaaaaaaaaaaaaaaaaaaa", .tooFewCharacters),
        ("abababababababababab", .tooFewCharacters),
        ("passwordpassword", .common),
        ("Password1234567890!", .common),
        ("qwertyuiopasdfghjkl", .common),
        ("Welcome-2026-Summer", .common),
    ])
    func weakOnesAreRefused(password: String, breach: PasswordRules.Breach) throws {
        #expect(PasswordRules().breach(password, for: try AccountName("someone")) == breach)
    }

    @Test(arguments: ["a long way to the river", "пятнадцать букв", "correct horse battery staple"])
    func longOnesAreTaken(password: String) throws {
        #expect(PasswordRules().breach(password, for: try AccountName("someone")) == nil)
    }

    /// Large and small letters are one; what was taken before is still taken.
    @Test func anAgencysOwnWordsAreKeptOutToo() throws {
        let (name, own) = (
            try AccountName("someone"), PasswordRules(words: ["Metro EMS", "Śródmieście"])
        )
        for password in [
            "metro ems METRO EMS", "Metro EMS 2026 śródmieście!", "śródmieście-password",
        ] {
            #expect(PasswordRules().breach(password, for: name) == nil)
            #expect(own.breach(password, for: name) == .common)
        }
        #expect(own.breach("metro ems is a long way off", for: name) == nil)
    }

    /// One that overlaps a word of every installation leaves a rest of it that is no word.
    @Test func aLongWordOfOnesOwnWeakensNoneEither() throws {
        let name = try AccountName("someone")
        let rules = PasswordRules(words: ["wordpassw"])
        for password in ["passwordpassword", "wordpassw-wordpassw"] {
            #expect(rules.breach(password, for: name) == .common)
        }
    }

    /// A short word takes no long one apart, so that no word lets through what was refused without it.
    @Test func aShortWordOfOnesOwnWeakensNoLongOne() throws {
        let name = try AccountName("someone")
        let rules = PasswordRules(words: ["amb", "ass", "tern"])
        for password in ["ambulance password", "passwordpassword", "administrator-2026"] {
            #expect(rules.breach(password, for: name) == .common)
        }
    }
}
