import TripDomain
public import TripRules

extension OverrideList {
    /// Reads a list from its file.
    ///
    /// - Parameters:
    ///   - file: Its path, as people know it.
    ///   - bytes: The file.
    ///   - classesAndBases: The classes and bases that the pipeline's rules give.
    /// - Throws: ``OverrideFaults`` with every line that cannot be used.
    public init(
        file: String,
        bytes: [UInt8],
        classesAndBases: [OverrideClassAndBasis]
    ) throws(OverrideFaults) {
        let table: ReferenceTable
        do throws(ReferenceFault) {
            table = try ReferenceLoader.load(Self.lookup(file: file), bytes: bytes)
        } catch {
            throw OverrideFaults(faults: [error])
        }
        try self.init(table: table, classesAndBases: classesAndBases)
    }
}
