import Hummingbird
import TripIdentity

/// `/forgotten` and `/new-password`: a new password for whoever gets the account's letters.
struct ForgottenRoute {
    let authority: Authority
    /// What sends them; where nothing does, there is nothing at either path.
    let letters: LetterRoom?

    /// The page that asks for a name.
    func page(_ request: Request) throws(Problem) -> Response {
        guard letters != nil else { throw Problem.notFound }
        _ = try FormReading(query: request, known: [])
        return Page(.forgotten).response(.ok)
    }

    /// A name: whoever's it is, the same is said, at once, and looked into afterwards.
    func send(_ request: Request) async throws -> Response {
        guard let letters else { throw Problem.notFound }
        let form = try await OwnForm.read(request, issuer: authority.issuer)
        guard let name = form["username"] else { throw Problem.badRequest }
        guard letters.ask(for: name) else {
            let page = Page(.forgotten, notice: "Many people are asking. Try again in a moment.")
            return page.response(.serviceUnavailable, retryAfter: 60)
        }
        return Page.word(
            "Check your e-mail",
            """
            If an account has this name and an e-mail address, it gets an e-mail with a link that sets a new password, \
            once and within half an hour. At most one is sent every five minutes, and after twelve in a day one an hour: \
            look for the last one before you ask again. If none comes, ask whoever looks after the accounts.
            """
        ).response(.ok)
    }

    /// The page that a letter leads to.
    func newPasswordPage(_ request: Request) async throws -> Response {
        guard letters != nil else { throw Problem.notFound }
        let form = try FormReading(query: request, known: ["token"])
        guard let token = form["token"], try await authority.isOpen(token) else { return closed }
        return Page(.newPassword, ["token": token]).response(.ok)
    }

    /// The new password.
    func setPassword(_ request: Request) async throws -> Response {
        guard let letters else { throw Problem.notFound }
        let form = try await OwnForm.read(request, issuer: authority.issuer)
        guard let token = form["token"] else { return closed }
        switch try await authority.reset(token, to: form["password"] ?? "") {
        case .done(let account):
            letters.tell(account, .passwordSet)
            let more = "Passkeys the account had are removed: add yours again."
            return Page.passwordIsSet(more).response(.ok)
        case .closed: return closed
        case .weak(let breach):
            let page = Page(.newPassword, notice: breach.notice, ["token": token])
            let (status, retryAfter) = breach.refusal
            return page.response(status, retryAfter: retryAfter)
        case .busy:
            let page = Page(.newPassword, notice: SignInPage.Notice.busy.rawValue, ["token": token])
            return page.response(.serviceUnavailable, retryAfter: 10)
        }
    }

    private var closed: Response {
        Page.word(
            "This link is closed",
            "The link in the e-mail was used, is older than half an hour, or the password was set since.",
            way: .forgotten
        ).response(.forbidden)
    }
}
