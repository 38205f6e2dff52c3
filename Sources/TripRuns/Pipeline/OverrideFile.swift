import TripDomain
import TripEngine

/// The list of decisions made by hand, as the pipeline folder has it.
struct OverrideFile: Sendable {
    /// The path below the pipeline folder.
    let path: String
    /// The bytes.
    let content: [UInt8]
    /// The header's names.
    let names: [String]
    /// The lines below the header.
    let lines: [ReferenceLoader.Line]

    /// Reads a list for its form; what its lines say is read when the rules are known.
    ///
    /// - Throws: ``PipelineFault`` where it is no table.
    init(path: String, content: [UInt8]) throws(PipelineFault) {
        self.path = path
        self.content = content
        do throws(EngineError) {
            (names, lines) = try ReferenceLoader.lines(file: path, bytes: content)
        } catch {
            let line = error.place?.lineNumber ?? 0
            // What a header is said to hold may be the first line of a list without one.
            throw PipelineFault(
                file: path,
                line: line,
                message: line == 1
                    ? "the header cannot be read; expected "
                        + OverrideList.columns.joined(separator: ",")
                    : error.remedy
            )
        }
    }

    /// What the lines say, each as one text, whatever their order and that of the columns.
    var decisions: [String] {
        let columns = OverrideList.columns.map { names.firstIndex(of: $0) }
        return lines.map { line in
            columns.map { $0.map { String(reflecting: line.cells[$0]) } ?? "" }
                .joined(separator: "|")
        }.sorted { ByteText($0) < ByteText($1) }
    }

    /// A list of the same columns without a line.
    var withoutLines: [UInt8] { Array((names.joined(separator: ",") + "\n").utf8) }

    /// The list, with all its lines understood.
    ///
    /// - Parameter rules: The pipeline's rules: an override gives what one of them gives.
    /// - Returns: The list.
    /// - Throws: ``PipelineFaults`` with every line that cannot be used.
    func list(_ rules: [RuleText]) throws(PipelineFaults) -> OverrideList {
        let grounds =
            rules.map { OverrideGround(tripClass: $0.tripClass, basis: $0.basis) }
            + [OverrideGround(tripClass: .undetermined, basis: "")]
        do throws(OverrideFaults) {
            return try OverrideList(file: path, bytes: content, grounds: grounds)
        } catch {
            throw PipelineFaults(
                faults: error.faults.map { fault in
                    PipelineFault(
                        file: path,
                        line: fault.place?.lineNumber ?? 0,
                        message: fault.remedy
                    )
                }
            )
        }
    }
}
