/// The tables of the accounts' file, by the layout that added them.
enum IdentitySchema {
    /// What each layout adds to the one before; a file of layout 0 is empty.
    static let layouts = [accounts, passkeysAndResets, signOuts]

    private static let accounts = """
        -- One row per account; a number is never used twice.
        CREATE TABLE account (
          account_id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL UNIQUE,
          email TEXT,
          password TEXT,                    -- $scrypt$ln=…$salt$hash; NULL: none yet
          roles TEXT NOT NULL,              -- words, separated by spaces
          regions TEXT,                     -- one a line; NULL: all
          sees_national_totals INTEGER NOT NULL,
          is_disabled INTEGER NOT NULL DEFAULT 0,
          created_at INTEGER NOT NULL       -- seconds of UTC, as all times here
        ) STRICT;

        -- One row per name with failed sign-ins, whether an account has it or not.
        CREATE TABLE sign_in_failure (
          name_mark TEXT PRIMARY KEY,       -- HMAC of the name: people type passwords there
          failure_count INTEGER NOT NULL,   -- in a row
          last_at INTEGER NOT NULL,
          closed_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- For deleting the oldest.
        CREATE INDEX sign_in_failure_by_age ON sign_in_failure (failure_count, last_at);

        -- One row per sign-in that led to tokens.
        CREATE TABLE session (
          session_id TEXT PRIMARY KEY,
          account_id INTEGER NOT NULL REFERENCES account,
          client_id TEXT NOT NULL,
          authenticated_at INTEGER NOT NULL,
          started_at INTEGER NOT NULL,
          last_used_at INTEGER NOT NULL,
          ended_at INTEGER,
          end_reason TEXT
        ) STRICT, WITHOUT ROWID;
        -- For disabling an account, and for listing its sessions.
        CREATE INDEX session_of_account ON session (account_id) WHERE ended_at IS NULL;

        -- One row per code that a client got for a sign-in; valid for one use within a minute.
        CREATE TABLE authorization_code (
          code_mark TEXT PRIMARY KEY,       -- SHA-256
          account_id INTEGER NOT NULL REFERENCES account,
          client_id TEXT NOT NULL,
          redirect_uri TEXT NOT NULL,
          challenge TEXT NOT NULL,
          authenticated_at INTEGER NOT NULL,
          expires_at INTEGER NOT NULL,
          is_used INTEGER NOT NULL DEFAULT 0,
          session_id TEXT                   -- what came of it
        ) STRICT, WITHOUT ROWID;

        -- One row per refresh token; each is replaced where it is used.
        CREATE TABLE refresh_token (
          token_mark TEXT PRIMARY KEY,      -- SHA-256
          session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
          issued_at INTEGER NOT NULL,
          replaced_at INTEGER
        ) STRICT, WITHOUT ROWID;
        -- For deleting old sessions.
        CREATE INDEX refresh_token_of_session ON refresh_token (session_id);
        """

    private static let passkeysAndResets = """
        -- One row per passkey.
        CREATE TABLE passkey (
          passkey_id TEXT PRIMARY KEY,      -- the credential's id, as base64url
          account_id INTEGER NOT NULL REFERENCES account,
          public_key BLOB NOT NULL,         -- COSE_Key
          sign_count INTEGER NOT NULL,      -- 0: the authenticator does not count
          may_be_synced INTEGER NOT NULL,
          created_at INTEGER NOT NULL,
          last_used_at INTEGER,
          failure_count INTEGER NOT NULL DEFAULT 0  -- in a row
        ) STRICT, WITHOUT ROWID;
        -- For listing an account's passkeys.
        CREATE INDEX passkey_of_account ON passkey (account_id, created_at);

        -- One row per challenge that was signed and has not expired: none is valid twice.
        CREATE TABLE used_challenge (
          challenge_mark TEXT PRIMARY KEY,  -- SHA-256
          expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- One row per name for which a new password was requested, whether an account has it or
        -- not.
        CREATE TABLE password_reset_ask (
          name_mark TEXT PRIMARY KEY,       -- HMAC of the name
          asked_at INTEGER NOT NULL,
          day_began_at INTEGER NOT NULL,
          count INTEGER NOT NULL            -- since the day began
        ) STRICT, WITHOUT ROWID;
        -- For deleting the oldest.
        CREATE INDEX password_reset_ask_by_age ON password_reset_ask (day_began_at);

        -- One row per link to a new password.
        CREATE TABLE password_reset (
          token_mark TEXT PRIMARY KEY,      -- SHA-256
          account_id INTEGER REFERENCES account,  -- NULL: unknown name; no e-mail was sent
          asked_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- For deleting the oldest, and for deleting those of an account.
        CREATE INDEX password_reset_by_age ON password_reset (asked_at);
        CREATE INDEX password_reset_of_account ON password_reset (account_id);
        """

    private static let signOuts = """
        -- How often all sessions of an account were ended at once; earlier pages of /account become
        -- invalid.
        ALTER TABLE account ADD COLUMN sign_out_count INTEGER NOT NULL DEFAULT 0;
        """
}
