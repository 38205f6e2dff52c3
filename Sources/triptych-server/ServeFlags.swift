import ArgumentParser

/// Where it listens and what it reads: flags, each of which is also a setting.
struct ServeFlags: ParsableArguments {
    @Option(
        help: "The key file. [env: TRIPTYCH_KEY_FILE] (default: the mart's path + .key, if there)"
    )
    var keyFile: String?

    @Option(help: "The address to listen at. [env: TRIPTYCH_HOST] (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port; 0 takes a free one and names it. [env: TRIPTYCH_PORT] (default: 8080)")
    var port: Int?

    @Option(
        help: "The certificate and those it was signed with, in PEM. [env: TRIPTYCH_CERTIFICATE]"
    )
    var certificate: String?

    @Option(
        help:
            "Its private key, in PEM, readable by its owner alone. [env: TRIPTYCH_CERTIFICATE_KEY]"
    )
    var certificateKey: String?

    @Option(
        help: "The address users reach it at. [env: TRIPTYCH_ISSUER] (default: from host and port)"
    )
    var issuer: String?

    @Option(
        help:
            "A further address that a sign-in returns to; may be repeated. [env: TRIPTYCH_REDIRECT_URIS, blanks between]"
    )
    var redirectUri: [String] = []

    @Option(
        help: ArgumentHelp(
            "The pipeline of requested runs, which a process beside this one carries out. [env: TRIPTYCH_WITH_WORKER]",
            valueName: "pipeline"
        )
    )
    var withWorker: String?

    @Option(
        help:
            "The folder of its reference files. [env: TRIPTYCH_REFERENCE] (default: data/reference)"
    )
    var reference: String?

    @Option(
        help:
            "The program that sends e-mail, such as password resets, and its arguments. [env: TRIPTYCH_MAIL_COMMAND] (example: /usr/sbin/sendmail -t -i)"
    )
    var mailCommand: String?

    @Option(help: "The sender of that e-mail. [env: TRIPTYCH_MAIL_FROM]")
    var mailFrom: String?

    @Option(
        help: ArgumentHelp(
            "offered or required: whether a password alone suffices to sign in. [env: TRIPTYCH_PASSKEYS] (default: offered)",
            valueName: "word"
        )
    )
    var passkeys: String?

    @Option(
        help:
            "Maximum of open connections of one address; 0 for no limit. [env: TRIPTYCH_CONNECTIONS_PER_ADDRESS] (default: 500)"
    )
    var connectionsPerAddress: Int?

    @Option(
        help:
            "Maximum of sign-in tries of one address in a minute, beyond which the answer is 429; 0 for no limit. [env: TRIPTYCH_SIGN_INS_PER_ADDRESS] (default: 60)"
    )
    var signInsPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            """
            The address of a reverse proxy in front, whose X-Forwarded-For names the client; it has no limit of \
            connections of its own. [env: TRIPTYCH_TRUSTED_PROXY] (default: none)
            """,
            valueName: "address"
        )
    )
    var trustedProxy: String?

    @Option(
        help:
            "text or json: the form of the log on standard error. [env: TRIPTYCH_LOG_FORMAT] (default: text)"
    )
    var logFormat: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Log every request: its route, status and time, and nothing of its content. \
            [env: TRIPTYCH_LOG_REQUESTS, yes or no] (default: no)
            """
    )
    var logRequests: Bool?

    @OptionGroup(title: "New passwords") var passwords: PasswordOptions

    @OptionGroup(title: "External issuer") var external: ExternalIssuerFlags
}

/// An external issuer that signs users in, in place of this server.
struct ExternalIssuerFlags: ParsableArguments {
    @Option(
        help:
            "The iss claim of its tokens; users sign in there, and not here. [env: TRIPTYCH_FOREIGN_ISSUER]"
    )
    var foreignIssuer: String?

    @Option(
        help:
            "The aud claim of its tokens. [env: TRIPTYCH_FOREIGN_AUDIENCE] (default: triptych)"
    )
    var foreignAudience: String?

    @Option(
        help:
            "The file of its public keys (JWKS), which is read again when it is replaced. [env: TRIPTYCH_FOREIGN_KEYS]"
    )
    var foreignKeys: String?

    @Option(
        help:
            "The claim that names an account here: sub, preferred_username or email (a verified one). [env: TRIPTYCH_FOREIGN_NAME_CLAIM] (default: sub)"
    )
    var foreignNameClaim: String?
}
