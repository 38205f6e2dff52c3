import Hummingbird
import TripIdentity

/// `/forgotten` and `/new-password`: a new password by a link that is sent to the account's e-mail
/// address.
struct PasswordResetRoute {
    let authentication: AuthenticationService
    /// Sends the link; nil where no e-mail is sent, and then there is nothing at either path.
    let mail: MailQueue?

    /// The page that asks for a name.
    func page(_ request: Request) throws(Problem) -> Response {
        guard mail != nil else { throw Problem.notFound }
        _ = try FormReading(query: request, known: [])
        return Page(.forgotten).response(.ok)
    }

    /// A name: the answer is the same whether or not there is an account; it is looked up
    /// afterwards.
    func send(_ request: Request) async throws -> Response {
        guard let mail else { throw Problem.notFound }
        let form = try await OwnForm.read(request, issuer: authentication.issuer)
        guard let name = form["username"] else { throw Problem.badRequest }
        guard mail.reset(name) else {
            let page = Page(.forgotten, notice: "Many users are asking. Try again in a moment.")
            return page.response(.serviceUnavailable, retryAfter: 60)
        }
        return Page.word(
            "Check your e-mail",
            """
            If an account has this name and an e-mail address, it gets an e-mail with a link that sets a new password, \
            once and within half an hour. At most one is sent every five minutes, and after twelve in a day one an hour: \
            look for the last one before you ask again. If none comes, ask your administrator.
            """
        ).response(.ok)
    }

    /// The page that the link leads to.
    func newPasswordPage(_ request: Request) async throws -> Response {
        guard mail != nil else { throw Problem.notFound }
        let form = try FormReading(query: request, known: ["token"])
        guard let token = form["token"], try await authentication.isOpen(token) else {
            return closed
        }
        return Page(.newPassword, ["token": token]).response(.ok)
    }

    /// The new password.
    func setPassword(_ request: Request) async throws -> Response {
        guard let mail else { throw Problem.notFound }
        let form = try await OwnForm.read(request, issuer: authentication.issuer)
        guard let token = form["token"] else { return closed }
        switch try await authentication.reset(token, to: form["password"] ?? "") {
        case .done(let account):
            mail.tell(account, .passwordSet)
            let more = "Passkeys the account had are removed: add yours again."
            return Page.passwordIsSet(more).response(.ok)
        case .closed: return closed
        case .weak(let violation):
            let page = Page(.newPassword, notice: violation.notice, ["token": token])
            let (status, retryAfter) = violation.refusal
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
