import TripIdentity

extension Authority {
    /// What comes of a passkey, or else of a name and a password, out of a form.
    func signIn(_ form: FormReading) async throws -> SignIn {
        guard let passkey = form["passkey"] else {
            // The browser says that nothing was signed.
            if form["challenge"] != nil { return .refused }
            return try await signIn(form["username"] ?? "", form["password"] ?? "")
        }
        let signing = PasskeySigning(
            id: passkey,
            clientData: form["client_data"] ?? "",
            data: form["authenticator_data"] ?? "",
            signature: form["signature"] ?? "",
            userHandle: form["user_handle"]
        )
        guard let signing else { return .refused }
        return try await signIn(signing)
    }

    /// What the next page asks browsers to sign, and for whom; nil where they make no passkeys for this server, or three in a row
    /// came to nothing.
    func passkeyAsked(after form: FormReading) -> (party: String, challenge: String)? {
        let challenge =
            form["challenge"].map { passkeyChallenge(afterFailing: $0) } ?? passkeyChallenge()
        return relyingParty.flatMap { party in challenge.map { (party, $0) } }
    }
}
