import TripDomain
public import TripEngine
public import TripRules

/// The list of decisions made by hand, as the pipeline folder holds it.
public struct OverrideFile: Sendable {
    /// The path below the pipeline folder.
    public let path: String
    /// The bytes.
    public let content: [UInt8]
    /// The header's names.
    let names: [String]
    /// The lines below the header.
    public let lines: [ReferenceLoader.Line]

    /// Reads the form of a list; its lines are interpreted when the rules are known.
    ///
    /// - Throws: ``PipelineFaults`` where it is no table.
    public init(path: String, content: [UInt8]) throws(PipelineFaults) {
        self.path = path
        self.content = content
        do throws(ReferenceFaults) {
            (names, lines) = try ReferenceLoader.lines(file: path, bytes: content)
        } catch {
            // A supposed header may be the first line of a list that has none.
            let isHeader = error.faults.contains { $0.position?.lineNumber == 1 }
            throw PipelineFaults(
                faults: isHeader
                    ? [
                        PipelineFault(
                            file: path,
                            line: 1,
                            message: "the header cannot be read; expected "
                                + OverrideList.columns.joined(separator: ",")
                        )
                    ]
                    : error.faults.map { fault in
                        PipelineFault(
                            file: path,
                            line: fault.position?.lineNumber ?? 0,
                            message: fault.remedy
                        )
                    }
            )
        }
    }

    /// The decisions of the lines, each as one text, independent of the order of lines and columns.
    var decisions: [String] {
        let columns = OverrideList.columns.map { names.firstIndex(of: $0) }
        return lines.map { line in
            columns.map { $0.map { String(reflecting: line.cells[$0]) } ?? "" }
                .joined(separator: "|")
        }.sorted { ByteText($0) < ByteText($1) }
    }

    /// A list of the same columns without lines.
    public var withoutLines: [UInt8] { Array((names.joined(separator: ",") + "\n").utf8) }

    /// Interprets all lines of the list.
    ///
    /// - Parameter rules: The pipeline's rules: an override may give only a class and basis that
    ///   one of them gives.
    /// - Returns: The list.
    /// - Throws: ``PipelineFaults`` with every line that cannot be used.
    public func list(_ rules: [RuleText]) throws(PipelineFaults) -> OverrideList {
        let classesAndBases =
            rules.map { OverrideClassAndBasis(tripClass: $0.tripClass, basis: $0.basis) }
            + [OverrideClassAndBasis(tripClass: .undetermined, basis: "")]
        do throws(ReferenceFaults) {
            return try OverrideList(file: path, bytes: content, classesAndBases: classesAndBases)
        } catch {
            throw PipelineFaults(
                faults: error.faults.map { fault in
                    PipelineFault(
                        file: path,
                        line: fault.position?.lineNumber ?? 0,
                        message: fault.remedy
                    )
                }
            )
        }
    }
}
