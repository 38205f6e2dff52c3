import Hummingbird
import TripIdentity
import TripText

/// `GET /me`: the account that asks, so that a screen can say who is signed in and offer what its
/// roles allow.
struct MeRoute {
    /// The name, the roles, and the regions whose trips it may see; null is every region.
    func answer(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        var json = JSONText()
        json.object(isLine: true) { json in
            json.text("name", caller.session?.account.name.text)
            json.array("roles") { json in
                for role in Role.allCases where caller.roles.contains(role) {
                    json.value(nil, role.rawValue)
                }
            }
            guard let regions = caller.regions else { return json.null("regions") }
            json.array("regions") { json in
                for region in regions.sorted() { json.value(nil, region) }
            }
        }
        return Answer.unkept(json.text)
    }
}
