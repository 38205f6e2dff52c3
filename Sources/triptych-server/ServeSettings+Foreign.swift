import TripIdentity

extension ServeSettings {
    /// Another server that says who somebody is; nil where none is named.
    static func foreign(
        _ flags: ForeignFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> ForeignIssuer? {
        let issuer = flags.foreignIssuer ?? file["FOREIGN_ISSUER"]
        let keys = flags.foreignKeys ?? file["FOREIGN_KEYS"]
        switch (issuer, keys) {
        case (nil, nil): return nil
        case (let issuer?, let keys?):
            guard WebOrigin(of: issuer)?.scheme == "https" else {
                throw .init(description: "'\(issuer)' is no issuer: it begins with https://.")
            }
            let word = flags.foreignNameClaim ?? file["FOREIGN_NAME_CLAIM"] ?? "sub"
            guard let claim = ForeignIssuer.NameClaim(rawValue: word) else {
                let known = ForeignIssuer.NameClaim.allCases.map(\.rawValue)
                throw .init(
                    description:
                        "'\(word)' names no account; there are \(known.joined(separator: ", "))."
                )
            }
            return ForeignIssuer(
                issuer: issuer,
                audience: flags.foreignAudience ?? file["FOREIGN_AUDIENCE"] ?? "triptych",
                keysPath: keys,
                nameClaim: claim
            )
        default:
            throw .init(
                description: "another issuer and its keys go together; only one of them is named."
            )
        }
    }
}
