import TripIdentity

extension ServeSettings {
    /// Another server that says who somebody is; nil where none is named.
    static func foreign(
        _ flags: ForeignFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> ForeignIssuer? {
        let issuer = file.setting("FOREIGN_ISSUER", flag: flags.foreignIssuer)
        let keys = file.setting("FOREIGN_KEYS", flag: flags.foreignKeys)
        let audience = file.setting("FOREIGN_AUDIENCE", flag: flags.foreignAudience)
        let claim = file.setting("FOREIGN_NAME_CLAIM", flag: flags.foreignNameClaim)
        switch (issuer, keys) {
        case (nil, nil):
            guard let alone = audience ?? claim else { return nil }
            throw .init(
                alone,
                "it says nothing without another issuer: name that and its keys too, or take it out."
            )
        case (let issuer?, let keys?):
            guard WebOrigin(of: issuer.text)?.scheme == "https" else {
                throw .init(issuer, "'\(issuer.text)' is no issuer: it begins with https://.")
            }
            return ForeignIssuer(
                issuer: issuer.text,
                audience: audience?.text ?? "triptych",
                keysPath: keys.text,
                nameClaim: try nameClaim(claim)
            )
        default:
            throw .init(
                issuer ?? keys,
                "another issuer and its keys go together; only one of them is named."
            )
        }
    }

    private static func nameClaim(
        _ setting: Setting?
    ) throws(ConfigurationFile.Fault) -> ForeignIssuer.NameClaim {
        guard let setting else { return .subject }
        guard let claim = ForeignIssuer.NameClaim(rawValue: setting.text) else {
            let known = ForeignIssuer.NameClaim.allCases.map(\.rawValue)
            throw .init(
                setting,
                "'\(setting.text)' names no account; there are \(known.joined(separator: ", "))."
            )
        }
        return claim
    }
}
