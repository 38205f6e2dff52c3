import TripDomain

/// The faults found while a pipeline is read and compiled, so that all of them can be corrected
/// together.
///
/// A part with a fault is left out, and the reading goes on with the next one. The names that such
/// a part would have given are kept, so that an expression that reads them is not blamed.
public final class FaultList {
    /// The faults, in the order in which they were found.
    public private(set) var faults: [PipelineFault] = []
    /// The names of fields, derived fields and look-ups that could not be read.
    public private(set) var unreadNames: Set<String> = []
    /// Whether there may be further names, because a whole list of them could not be read.
    private var hasUnreadList = false
    /// The only error found, where it is that of a reference file.
    private var onlyError: ReferenceFaults?

    /// Begins without faults.
    public init() {}

    /// Whether no fault was found.
    public var isEmpty: Bool { faults.isEmpty }

    /// Adds a fault.
    ///
    /// - Parameter fault: The fault.
    public func note(_ fault: PipelineFault) {
        onlyError = nil
        if !faults.contains(fault) { faults.append(fault) }
    }

    /// Adds the faults of an error of reading or compiling.
    ///
    /// - Parameter error: The error.
    /// - Throws: Any error that is no fault of the pipeline.
    public func note(error: any Error) throws {
        guard let found = PipelineFaults(error) else { throw error }
        let isFirst = isEmpty
        for fault in found.faults { note(fault) }
        onlyError = isFirst ? error as? ReferenceFaults : nil
    }

    /// Reads one part; its fault is added, and the reading goes on.
    ///
    /// - Parameter body: Reads the part.
    /// - Returns: The part; nil where it has a fault.
    @discardableResult
    public func noting<Part>(_ body: () throws(PipelineFault) -> Part) -> Part? {
        do throws(PipelineFault) {
            return try body()
        } catch {
            note(error)
            return nil
        }
    }

    /// Reads one part that gives a name to expressions.
    ///
    /// - Parameters:
    ///   - name: The name; nil for a list of names, which may be any.
    ///   - body: Reads the part.
    /// - Returns: The part; nil where it has a fault.
    @discardableResult
    func noting<Part>(
        naming name: String?,
        _ body: () throws(PipelineFault) -> Part
    ) -> Part? {
        let count = faults.count
        let part = noting(body)
        // The faults of a list's entries are those of their names.
        if name == nil ? part == nil : faults.count > count { leaveOut(name) }
        return part
    }

    /// Keeps a name that could not be read.
    ///
    /// - Parameter name: The name; nil where it may be any.
    public func leaveOut(_ name: String?) {
        if let name { unreadNames.insert(name) } else { hasUnreadList = true }
    }

    /// Whether all names were read.
    var areAllNamesRead: Bool { unreadNames.isEmpty && !hasUnreadList }

    /// Whether a name that is not known may be that of a part that could not be read.
    ///
    /// - Parameter name: A field, a column of it, or a column of a look-up.
    /// - Returns: Whether it may be.
    func mayBeUnread(_ name: String) -> Bool {
        if hasUnreadList { return true }
        let first = name.split(separator: ".").first.map(String.init) ?? name
        if unreadNames.contains(first) { return true }
        return ["_cents", "_hundredths", "_utc"].contains { suffix in
            first.hasSuffix(suffix) && unreadNames.contains(String(first.dropLast(suffix.count)))
        } || unreadNames.contains { first == ShapeColumn.dateName(ofTimestamp: $0) }
    }

    /// The faults as an error.
    public var error: any Error { onlyError ?? PipelineFaults(faults: faults) }

    /// Puts the faults into the order of the files.
    ///
    /// - Parameter files: The files in their order; those of other files come last, file by
    ///   file.
    public func sort(by files: [String]) {
        func place(_ fault: PipelineFault) -> Int {
            files.firstIndex(of: fault.file) ?? files.count
        }
        let sorted = faults.enumerated().sorted { left, right in
            let (one, two) = (left.element, right.element)
            return (place(one), one.file, one.line, one.column, left.offset)
                < (place(two), two.file, two.line, two.column, right.offset)
        }
        faults = sorted.map(\.element)
    }
}
