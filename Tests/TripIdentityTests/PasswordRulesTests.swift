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
        #expect(PasswordRules.breach(password, for: try AccountName("someone")) == breach)
    }

    @Test(arguments: ["a long way to the river", "пятнадцать букв", "correct horse battery staple"])
    func longOnesAreTaken(password: String) throws {
        #expect(PasswordRules.breach(password, for: try AccountName("someone")) == nil)
    }
}
