import Foundation
import Testing

@testable import TripIdentity

@Suite struct IdentityLookTests {
    private func look(_ folder: IdentityFolder) async throws -> Int {
        try await IdentityLook(folder, now: 1_793_513_640).accountCount
    }

    /// What lies in a folder: the names, their modes and their bytes.
    private func contents(_ folder: IdentityFolder) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = folder.path + "/" + name
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            found["\(name) \(mode ?? "")"] = FileManager.default.contents(atPath: path) ?? Data()
        }
        return found
    }

    @Test func aFolderThatCanBeServedIsCountedAndLeftAsItIs() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("one")
        try await test.add("two")
        try await test.authority.setDisabled(true, AccountName("two"))
        let before = try contents(test.folder)
        #expect(try await look(test.folder) == 1)
        #expect(try contents(test.folder) == before)
    }

    @Test func aFolderThatIsNotThereIsNotMade() async throws {
        let test = try await AuthorityUnderTest()
        let folder = IdentityFolder(path: test.folder.path + "-new")
        #expect(try await look(folder) == 0)
        #expect(access(folder.path, F_OK) != 0)
    }

    @Test func aFolderThatCannotBeMadeIsSaid() async throws {
        let test = try await AuthorityUnderTest()
        for path in [test.folder.path + "/no/where", test.folder.secretPath + "/below"] {
            await #expect(throws: IdentityFault.self) { try await look(IdentityFolder(path: path)) }
        }
    }

    @Test func aFileInItsPlaceIsSaid() async throws {
        let test = try await AuthorityUnderTest()
        let fault = IdentityFault.folder(test.folder.secretPath, errno: ENOTDIR)
        await #expect(throws: fault) {
            try await look(IdentityFolder(path: test.folder.secretPath))
        }
    }

    @Test func aFolderThatOthersCanReadIsSaid() async throws {
        let test = try await AuthorityUnderTest()
        chmod(test.folder.path, 0o755)
        await #expect(throws: IdentityFault.openToOthers(test.folder.path)) {
            try await look(test.folder)
        }
    }

    @Test func aSecretThatIsMissingOrCutIsSaid() async throws {
        let test = try await AuthorityUnderTest()
        try Data(count: 31).write(to: URL(fileURLWithPath: test.folder.secretPath))
        chmod(test.folder.secretPath, 0o600)
        await #expect(throws: IdentityFault.malformed(test.folder.secretPath)) {
            try await look(test.folder)
        }
        unlink(test.folder.secretPath)
        await #expect(throws: IdentityFault.self) { try await look(test.folder) }
    }

    @Test func accountsThatAreNoneAreSaid() async throws {
        let test = try await AuthorityUnderTest()
        try Data("no accounts".utf8).write(to: URL(fileURLWithPath: test.folder.accountsPath))
        await #expect(throws: IdentityFault.self) { try await look(test.folder) }
    }

    @Test func aSigningKeyThatIsDamagedOrOpenIsSaid() async throws {
        let test = try await AuthorityUnderTest()
        let name = try #require(try SigningKeys.names(test.folder).first)
        let path = test.folder.signingKeysPath + "/" + name
        chmod(path, 0o644)
        await #expect(throws: IdentityFault.openToOthers(path)) { try await look(test.folder) }
        try Data("no key".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        await #expect(throws: IdentityFault.malformed(path)) { try await look(test.folder) }
    }
}
