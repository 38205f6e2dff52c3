import Crypto
import GRDB
import Synchronization

/// Says who somebody is: takes passwords, hands out tokens, and looks them up again.
public final class Authority: Sendable {
    let store: IdentityStore
    let folder: IdentityFolder
    /// How long things are good for.
    public let limits: SessionLimits
    let now: @Sendable () -> Int64
    /// What tokens name as their maker: the server's address.
    public let issuer: String
    /// What tokens name as their reader.
    public let audience: String
    let secret: [UInt8]
    /// Who did and saw what.
    public let record: AccessRecord
    let cost: PasswordHash.Cost
    let bench = HashingBench()
    let desk = ReadingDesk()
    let sessions: SessionBoard
    let tokens = TokenMemory()
    /// Who says who somebody is in our place; nil where we do.
    let foreign: ForeignTrust?
    /// Whether a password alone lets nobody in.
    public let requiresPasskey: Bool
    /// What a new password must be.
    let rules: PasswordRules
    /// Is told what stood in the way of a new password, which whoever chose it is not.
    let failing: @Sendable (IdentityFault) -> Void
    private let loadedKeys: Mutex<LoadedKeys>
    /// What stands in for the password of a name that nobody has, so that looking takes as long.
    let nobody: PasswordHash

    private struct LoadedKeys {
        var keys: SigningKeys
        var lookedAt: Int64
    }

    /// Opens the accounts of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder; made where it is not there.
    ///   - issuer: What tokens name as their maker.
    ///   - audience: What they name as their reader.
    ///   - foreign: Another server that says who somebody is; nil where this one does.
    ///   - requiresPasskey: Whether a password alone lets nobody in.
    ///   - rules: What a new password must be.
    ///   - limits: How long things are good for.
    ///   - noting: Is told the place of every entry of the record, to be kept elsewhere.
    ///   - failing: Is told why a password could not be held against the list of stolen ones, where only its owner was.
    ///   - isDemo: Whether passwords are known to everybody anyway, so that hashing them need not be slow.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault``.
    public init(
        _ folder: IdentityFolder,
        issuer: String,
        audience: String = "triptych",
        foreign: ForeignIssuer? = nil,
        requiresPasskey: Bool = false,
        rules: PasswordRules = PasswordRules(),
        limits: SessionLimits = SessionLimits(),
        noting: @escaping @Sendable (AccessEntry.Event, AccessRecord.Place) -> Void = { _, _ in },
        failing: @escaping @Sendable (IdentityFault) -> Void = { _ in },
        isDemo: Bool = false,
        now: @escaping @Sendable () -> Int64
    ) async throws {
        try folder.prepare()
        self.folder = folder
        (self.issuer, self.audience, self.limits, self.now) = (issuer, audience, limits, now)
        self.requiresPasskey = requiresPasskey
        (self.rules, self.failing) = (rules, failing)
        secret = try folder.secret()
        record = AccessRecord(folder, secret: secret, note: noting)
        // Before the accounts: where they are, a record without its head was tampered with.
        if !folder.isMade, !record.hasHead { try record.begin() }
        store = try IdentityStore(folder)
        cost = isDemo ? .least : .usual
        nobody = PasswordHash(ofNobody: cost)
        sessions = SessionBoard(limits: limits)
        if try SigningKeys.names(folder).isEmpty { try SigningKeys.rotate(folder, now: now()) }
        let keys = try await SigningKeys(folder, now: now())
        if let foreign {
            self.foreign = try await ForeignTrust(foreign)
        } else {
            self.foreign = nil
        }
        loadedKeys = Mutex(LoadedKeys(keys: keys, lookedAt: now()))
    }

    /// The keys as they lie in their folder now or did some seconds ago.
    func keys() async throws -> SigningKeys {
        let now = now()
        let (keys, isDue) = loadedKeys.withLock { loaded in
            // A clock that was set back makes nothing last longer.
            let isDue = !(0..<limits.notice).contains(now - loaded.lookedAt)
            if isDue { loaded.lookedAt = now }
            return (loaded.keys, isDue)
        }
        guard isDue else { return keys }
        // Read again where a file came or went; now and then, as a replaced key stops verifying.
        guard try SigningKeys.names(folder) != keys.fileNames || keys.publicKeys.count > 1 else {
            return keys
        }
        let read = try await SigningKeys(folder, now: now)
        loadedKeys.withLock { $0.keys = read }
        tokens.removeAll()
        return read
    }

    /// The keys that verify our tokens, for whoever else looks after them.
    ///
    /// - Throws: ``IdentityFault`` of the folder.
    public func publicKeys() async throws -> [TokenKey] { try await keys().publicKeys }

    /// Signs with a new key from now on.
    ///
    /// - Parameter withdrawing: Whether the keys before verify nothing from now on, since somebody else may have one.
    /// - Returns: Its id.
    /// - Throws: ``IdentityFault`` of the folder.
    @discardableResult
    public func rotateKeys(withdrawing: Bool = false) async throws -> String {
        let detail = withdrawing ? "withdrawn" : nil
        try await record.add(AccessEntry(.keyRotated, at: now(), detail: detail))
        return try SigningKeys.rotate(folder, now: now(), withdrawing: withdrawing)
    }

    /// A name as it is kept beside its failures.
    func mark(_ name: AccountName) -> String { mark(ofText: name.text) }

    /// The same of anything somebody typed as one.
    func mark(ofText text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("name \(text)".utf8),
            using: SymmetricKey(data: secret)
        )
        return Base64URL.text(code)
    }
}
