import Hummingbird
import TripIdentity
import TripText

/// `GET /me`: the account that asks, so that a screen can say who is signed in and offer what its
/// roles allow.
struct MeRoute {
    /// The name, the roles, the regions whose trips it may see (null is every region), and whether
    /// totals are of all regions.
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
            if let regions = caller.regions {
                json.array("regions") { json in
                    for region in regions.sorted() { json.value(nil, region) }
                }
            } else {
                json.null("regions")
            }
            json.value("national_totals", caller.regions == nil || caller.seesNationalTotals)
        }
        return Answer.unkept(json.text)
    }
}
