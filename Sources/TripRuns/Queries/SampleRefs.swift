import TripMart

extension RunOptions {
    /// The references of sample trips, where the mart's key is available; empty where it is not.
    ///
    /// Numbers need no key, and a user of `diff` or `plan` may not have one.
    ///
    /// - Parameters:
    ///   - numbers: The trips' numbers.
    ///   - served: The generation they belong to.
    /// - Returns: The references by number.
    /// - Throws: `MartError` of the file.
    func refs(of numbers: [Int64], in served: ServedMart) throws(MartError) -> [Int64: String] {
        let keys: MartKeys?
        do throws(MartError) {
            keys = try MartKeys.open(keyFile: keyFilePath, for: MartFolder(path: martPath))
        } catch {
            let ofKeys: Set<MartError.Code> = [
                .keyMissing, .keyWrong, .keyPermissions, .keyUnreadable, .keyMalformed,
            ]
            guard ofKeys.contains(error.code) else { throw error }
            return [:]
        }
        var refs: [Int64: String] = [:]
        for number in numbers where refs[number] == nil {
            guard let id = try served.tripID(number: number) else { continue }
            refs[number] = keys?.ref(ofTrip: id).text
        }
        return refs
    }
}
