import HTTPTypes
import Hummingbird
import TripIdentity

/// Forms of the server's own pages: those that another site made a browser send are not taken.
enum OwnForm {
    /// Reads one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - issuer: The server's address, as people see it.
    /// - Returns: Its fields.
    /// - Throws: ``Problem/foreignForm`` where it comes from elsewhere, or what ``FormReading`` throws.
    static func read(_ request: Request, issuer: String) async throws -> FormReading {
        let form = try await FormReading(request)
        try require(request, issuer: issuer)
        return form
    }

    /// Refuses what another site made a browser send.
    static func require(_ request: Request, issuer: String) throws(Problem) {
        let site = request.headers[.secFetchSite]
        guard site == nil || site == "same-origin" else { throw .foreignForm }
        // Where a browser says only which site, it is ours; a page that sends no referrer is called null.
        let origin = request.headers[.origin]
        guard origin == nil || origin == "null" || origin == WebOrigin(of: issuer)?.text else {
            throw .foreignForm
        }
    }
}

extension HTTPField.Name {
    /// Where a browser says that a request comes from.
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
