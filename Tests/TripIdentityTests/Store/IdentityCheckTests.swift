import Foundation
import Testing

@testable import TripIdentity

@Suite struct IdentityCheckTests {
    private func count(_ folder: IdentityFolder) async throws -> Int {
        try await IdentityCheck(folder, now: 1_793_513_640).accountCount
    }

    /// The content of a folder: the names of the files, their modes and their bytes.
    private func contents(_ folder: IdentityFolder) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = folder.path + "/" + name
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            found["\(name) \(mode ?? "")"] = FileManager.default.contents(atPath: path) ?? Data()
        }
        return found
    }

    @Test func aUsableFolderIsCountedAndNotChanged() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("one")
        try await test.add("two")
        try await test.authentication.setDisabled(true, AccountName("two"))
        let before = try contents(test.folder)
        #expect(try await count(test.folder) == 1)
        #expect(try contents(test.folder) == before)
    }

    @Test func aMissingFolderIsNotCreated() async throws {
        let test = try await AuthenticationServiceUnderTest()
        let folder = IdentityFolder(path: test.folder.path + "-new")
        #expect(try await count(folder) == 0)
        #expect(access(folder.path, F_OK) != 0)
    }

    @Test func aFolderThatCannotBeCreatedIsReported() async throws {
        let test = try await AuthenticationServiceUnderTest()
        for path in [test.folder.path + "/no/where", test.folder.secretPath + "/below"] {
            await #expect(throws: IdentityFault.self) {
                try await count(IdentityFolder(path: path))
            }
        }
    }

    @Test func aFileInPlaceOfTheFolderIsReported() async throws {
        let test = try await AuthenticationServiceUnderTest()
        let fault = IdentityFault.folder(test.folder.secretPath, errno: ENOTDIR)
        await #expect(throws: fault) {
            try await count(IdentityFolder(path: test.folder.secretPath))
        }
    }

    @Test func aFolderThatOthersCanReadIsReported() async throws {
        let test = try await AuthenticationServiceUnderTest()
        chmod(test.folder.path, 0o755)
        await #expect(throws: IdentityFault.openToOthers(test.folder.path)) {
            try await count(test.folder)
        }
    }

    @Test func aMissingOrTruncatedSecretIsReported() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try Data(count: 31).write(to: URL(fileURLWithPath: test.folder.secretPath))
        chmod(test.folder.secretPath, 0o600)
        await #expect(throws: IdentityFault.malformed(test.folder.secretPath)) {
            try await count(test.folder)
        }
        unlink(test.folder.secretPath)
        await #expect(throws: IdentityFault.self) { try await count(test.folder) }
    }

    @Test func aFileThatIsNoAccountsFileIsReported() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try Data("no accounts".utf8).write(to: URL(fileURLWithPath: test.folder.accountsPath))
        await #expect(throws: IdentityFault.self) { try await count(test.folder) }
    }

    @Test func aDamagedOrReadableSigningKeyIsReported() async throws {
        let test = try await AuthenticationServiceUnderTest()
        let name = try #require(try SigningKeys.names(test.folder).first)
        let path = test.folder.signingKeysPath + "/" + name
        chmod(path, 0o644)
        await #expect(throws: IdentityFault.openToOthers(path)) { try await count(test.folder) }
        try Data("no key".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        await #expect(throws: IdentityFault.malformed(path)) { try await count(test.folder) }
    }
}
