/// One line of the access record: which account or command did or read what, and when.
///
/// Every value consists of letters, digits and a few marks, so that each line is read in one way
/// only.
public struct AccessEntry: Sendable, Hashable {
    /// What happened.
    public let event: Event
    /// When, in seconds of UTC.
    public let at: Int64
    /// The account that did it; nil where a command did.
    public let account: Int64?
    /// The subject: the reference of a trip, the name of an account or a route; nil where there is
    /// none.
    public let subject: String?
    /// The field that was revealed, the roles that were given, the kind of proof of a sign-in, what
    /// set a password or ended sessions, whose sessions where all accounts' are ended, or the
    /// beginning of a passkey's hash; nil elsewhere.
    public let detail: String?
    /// Why a masked field was revealed; nil elsewhere.
    public let reason: Reason?

    /// The events that are recorded.
    public enum Event: String, Sendable, CaseIterable {
        /// A person signed in.
        case signedIn = "signed_in"
        /// A person signed out.
        case signedOut = "signed_out"
        /// A session was ended by its owner, who signed in elsewhere.
        case sessionEnded = "session_ended"
        /// Its owner or a command ended all sessions of an account, or of all accounts.
        case sessionsEnded = "sessions_ended"
        /// The password for a known name was wrong, or a passkey's signature.
        case signInRefused = "sign_in_refused"
        /// A replaced refresh token was used again, and its session was ended.
        case tokenReused = "token_reused"
        /// A masked field of a trip was revealed.
        case revealed
        /// An account was added.
        case accountAdded = "account_added"
        /// An account was given a password.
        case passwordSet = "password_set"
        /// A link to a new password was sent to the owner of an account.
        case resetSent = "reset_sent"
        /// A passkey was added.
        case passkeyAdded = "passkey_added"
        /// A passkey was removed.
        case passkeyRemoved = "passkey_removed"
        /// The change of the entry before was not made: its condition no longer held a moment
        /// later.
        case changeRefused = "change_refused"
        /// An account was given another e-mail address.
        case emailSet = "email_set"
        /// An account was given roles and regions.
        case rolesSet = "roles_set"
        /// An account was disabled.
        case accountDisabled = "account_disabled"
        /// An account was enabled again.
        case accountEnabled = "account_enabled"
        /// An account requested a re-classification.
        case runRequested = "run_requested"
        /// An account cancelled a re-classification.
        case runCancelled = "run_cancelled"
        /// A new key signs tokens.
        case keyRotated = "key_rotated"
        /// A redeemed code was used again, and the session that began with it was ended.
        case codeReused = "code_reused"
        /// An account made a request that none of its roles or regions allows.
        case refused
        /// The earlier record was damaged, and was set aside.
        case recordBegun = "record_begun"
    }

    /// Why a person reveals a masked field; fixed words, since people write names into free text.
    public enum Reason: String, Sendable, CaseIterable {
        /// Care of the patient is being coordinated.
        case careCoordination = "care_coordination"
        /// An invoice is being checked or paid.
        case billing
        /// The quality of trips or of their classification is being reviewed.
        case qualityReview = "quality_review"
        /// Content of an export is being corrected.
        case dataCorrection = "data_correction"
        /// The patient requested it.
        case patientRequest = "patient_request"
        /// An incident is being investigated.
        case investigation
    }

    /// Makes an entry.
    public init(
        _ event: Event,
        at: Int64,
        account: Int64? = nil,
        subject: String? = nil,
        detail: String? = nil,
        reason: Reason? = nil
    ) {
        (self.event, self.at, self.account) = (event, at, account)
        (self.subject, self.detail, self.reason) = (subject, detail, reason)
    }

    /// The columns of its line, in order; `-` where there is nothing.
    var columns: [String] {
        [
            UTCText.text(at), event.rawValue, account.map(String.init) ?? "-", subject ?? "-",
            detail ?? "-", reason?.rawValue ?? "-",
        ]
    }

    /// Reads the columns of a line; nil where they are not those of an entry.
    init?(columns: [Substring]) {
        guard columns.count == 6, let at = UTCText.seconds(columns[0]),
            let event = Event(rawValue: String(columns[1]))
        else { return nil }
        func text(_ column: Substring) -> String? { column == "-" ? nil : String(column) }
        self.init(
            event,
            at: at,
            account: text(columns[2]).flatMap { Int64($0) },
            subject: text(columns[3]),
            detail: text(columns[4]),
            reason: text(columns[5]).flatMap { Reason(rawValue: $0) }
        )
    }
}
