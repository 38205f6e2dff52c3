import GRDB

extension AuthenticationService {
    /// The accounts that are closed to passwords until another one is set, after a hundred failures
    /// in a row.
    ///
    /// - Returns: Their numbers.
    /// - Throws: ``IdentityFault`` of the store.
    public func closedAccounts() async throws(IdentityFault) -> Set<Int64> {
        let marks = try await store.reading { db in
            try Set(
                String.fetchAll(
                    db,
                    sql: "SELECT name_mark FROM sign_in_failure WHERE failure_count >= ?",
                    arguments: [SignInFailures.countMax]
                )
            )
        }
        return Set(try await self.accounts().filter { marks.contains(mark($0.name)) }.map(\.id))
    }
}
