/// The positions of the parts of a pipeline in its files, so that a fault of the whole still names
/// its line.
struct PipelinePositions {
    /// The pipeline file.
    let root: YAMLValue
    /// The `fields` of each layout, in the order of the sources and of their layouts.
    let fields: [YAMLValue]
    /// Where faults are gathered.
    var faults: FaultList { root.faults }

    /// A fault of the value at a path of keys of the pipeline file.
    func fault(
        _ path: [String],
        _ message: String,
        suggestion: String = ""
    ) -> PipelineFault {
        root.fault(at: path, message, suggestion: suggestion)
    }

    /// Notes a fault of the value at a path of keys of the pipeline file.
    func note(_ path: [String], _ message: String, suggestion: String = "") {
        faults.note(fault(path, message, suggestion: suggestion))
    }

    /// Notes a fault of a field, in the first layout that has it.
    func note(field name: String, _ message: String, suggestion: String = "") {
        faults.note(fault(field: name, message, suggestion: suggestion))
    }

    /// A fault of a field, in the first layout that has it.
    func fault(
        field name: String,
        key: String? = nil,
        _ message: String,
        suggestion: String = ""
    ) -> PipelineFault {
        let layout = fields.first { value in
            guard case .map(let pairs) = value.content else { return false }
            return pairs.contains { $0.key.text == name }
        }
        return (layout ?? root).fault(
            at: [name] + [key].compactMap(\.self),
            message,
            suggestion: suggestion
        )
    }
}
