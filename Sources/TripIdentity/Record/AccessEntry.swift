/// One line of the access record: who did or saw what, and when.
///
/// Every value is of letters, digits and a few marks, so that no line can look like two.
public struct AccessEntry: Sendable, Hashable {
    /// What happened.
    public let event: Event
    /// When, in seconds of UTC.
    public let at: Int64
    /// The account it was done by; nil where it was done by a command.
    public let account: Int64?
    /// What it was done to: the reference of a trip, the name of an account or a route; nil where nothing is named.
    public let subject: String?
    /// The field that was revealed, the roles that were given, what somebody signed in with, who set a password or ended
    /// sessions, whose sessions where they are everybody's, or the beginning of a passkey's hash; nil elsewhere.
    public let detail: String?
    /// Why somebody looked; nil elsewhere.
    public let reason: Reason?

    /// What is recorded.
    public enum Event: String, Sendable, CaseIterable {
        /// Somebody signed in.
        case signedIn = "signed_in"
        /// Somebody signed out.
        case signedOut = "signed_out"
        /// A session was ended by its owner, who signed in elsewhere.
        case sessionEnded = "session_ended"
        /// Every session of an account was ended by its owner or by a command, or those of all accounts.
        case sessionsEnded = "sessions_ended"
        /// A password was wrong for a name that somebody has, or a passkey's signature.
        case signInRefused = "sign_in_refused"
        /// A token came again that was replaced, and its session was ended.
        case tokenReused = "token_reused"
        /// A masked field of a trip was shown.
        case revealed
        /// An account was added.
        case accountAdded = "account_added"
        /// An account was given a password.
        case passwordSet = "password_set"
        /// Somebody who cannot sign in was sent a way to a new password.
        case resetSent = "reset_sent"
        /// A passkey was added.
        case passkeyAdded = "passkey_added"
        /// A passkey was removed.
        case passkeyRemoved = "passkey_removed"
        /// What the entry before says was not done: what it asked for was gone a moment later.
        case changeRefused = "change_refused"
        /// An account was given another address for its letters.
        case emailSet = "email_set"
        /// An account was given roles and regions.
        case rolesSet = "roles_set"
        /// An account was disabled.
        case accountDisabled = "account_disabled"
        /// An account was enabled again.
        case accountEnabled = "account_enabled"
        /// Somebody asked for a re-classification.
        case runRequested = "run_requested"
        /// Somebody called one off.
        case runCancelled = "run_cancelled"
        /// A new key signs tokens.
        case keyRotated = "key_rotated"
        /// A code came again that was handed in, and the session that came of it was ended.
        case codeReused = "code_reused"
        /// Something was asked for that no role or region of the account allows.
        case refused
        /// The record before was not what was written, and was set aside.
        case recordBegun = "record_begun"
    }

    /// Why somebody looks at what is masked; fixed words, since people write names into free text.
    public enum Reason: String, Sendable, CaseIterable {
        /// Care of the patient is being coordinated.
        case careCoordination = "care_coordination"
        /// An invoice is being checked or paid.
        case billing
        /// The quality of trips or of their classification is being reviewed.
        case qualityReview = "quality_review"
        /// What an export says is being corrected.
        case dataCorrection = "data_correction"
        /// The patient asked.
        case patientRequest = "patient_request"
        /// Something that went wrong is being looked into.
        case investigation
    }

    /// Says what happened.
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

    /// Reads the columns of a line; nil where they are none of an entry.
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
