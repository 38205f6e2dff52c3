import Testing

@testable import TripIdentity

@Suite struct PasswordRulesTests {
    @Test(arguments: [
        ("fourteen chars", PasswordRules.Violation.tooShort),
        (String(repeating: "long enough ", count: 30), .tooLong),
        ("my name is someone and i like it", .containsName),
        ("aaaaaaaaaaaaaaaaaaaa", .tooFewCharacters),
        ("abababababababababab", .tooFewCharacters),
        ("passwordpassword", .common),
        ("Password1234567890!", .common),
        ("qwertyuiopasdfghjkl", .common),
        ("Welcome-2026-Summer", .common),
    ])
    func weakPasswordsAreRefused(password: String, violation: PasswordRules.Violation) throws {
        #expect(PasswordRules().violation(password, for: try AccountName("someone")) == violation)
    }

    @Test(arguments: ["a long way to the river", "пятнадцать букв", "correct horse battery staple"])
    func longPasswordsAreAccepted(password: String) throws {
        #expect(PasswordRules().violation(password, for: try AccountName("someone")) == nil)
    }

    /// Large and small letters are equal; passwords without the agency's words are still accepted.
    @Test func anAgencysOwnWordsAreRefusedToo() throws {
        let (name, own) = (
            try AccountName("someone"), PasswordRules(words: ["Metro EMS", "Śródmieście"])
        )
        for password in [
            "metro ems METRO EMS", "Metro EMS 2026 śródmieście!", "śródmieście-password",
        ] {
            #expect(PasswordRules().violation(password, for: name) == nil)
            #expect(own.violation(password, for: name) == .common)
        }
        #expect(own.violation("metro ems is a long way off", for: name) == nil)
    }

    /// An own word that overlaps a common word would leave a rest of it that is not common.
    @Test func aLongOwnWordDoesNotWeakenTheRule() throws {
        let name = try AccountName("someone")
        let rules = PasswordRules(words: ["wordpassw"])
        for password in ["passwordpassword", "wordpassw-wordpassw"] {
            #expect(rules.violation(password, for: name) == .common)
        }
    }

    /// A short own word must not split a common word, so that no password is accepted because of
    /// it.
    @Test func aShortOwnWordDoesNotWeakenTheRule() throws {
        let name = try AccountName("someone")
        let rules = PasswordRules(words: ["amb", "ass", "tern"])
        for password in ["ambulance password", "passwordpassword", "administrator-2026"] {
            #expect(rules.violation(password, for: name) == .common)
        }
    }
}
