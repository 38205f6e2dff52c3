import TripDomain
import TripEngine
import TripRules

extension PipelineReader {

    /// The layouts of one source: files it names, or the pipeline's own `fields`.
    mutating func layouts(
        _ value: YAMLValue?,
        fields: YAMLValue?,
        at source: YAMLValue
    ) throws(PipelineFault) -> [LayoutDefinition] {
        guard let value else {
            guard let fields else {
                throw source.fault(
                    "the source has neither `layout` nor does the pipeline have `fields`",
                    suggestion: "Name a layout file, or write the fields into the pipeline."
                )
            }
            let definitions = try FieldReader.read(fields, isStored: isStored)
            fieldMaps.append(fields)
            return [LayoutDefinition(name: "", fields: definitions)]
        }
        var layouts: [LayoutDefinition] = []
        for path in try value.texts("`layouts`") {
            let layout = faults.noting(naming: nil) { () throws(PipelineFault) in
                try self.layout(path, layouts.map(\.name))
            }
            if let layout { layouts.append(layout) }
        }
        return layouts
    }

    /// Reads one layout file.
    private mutating func layout(
        _ path: String,
        _ others: [String]
    ) throws(PipelineFault) -> LayoutDefinition {
        var map = try YAMLMap(try yaml(path), "the layout")
        let name = faults.noting { () throws(PipelineFault) in
            try map.required("layout", "layout: native").text("`layout`")
        }
        let ignored = faults.noting { () throws(PipelineFault) in
            try map.optional("ignore")?.texts("`ignore`") ?? []
        }
        let declared = faults.noting { () throws(PipelineFault) in
            try map.required("fields", "fields: {trip_id: Trip Number}")
        }
        faults.noting(map.finish)
        if let name, others.contains(name) {
            faults.note(map.value.fault("the layout `\(name)` is defined twice"))
        }
        let isStored = isStored
        let fields =
            try declared.map { (declared) throws(PipelineFault) in
                try FieldReader.read(declared, isStored: isStored)
            } ?? []
        fieldMaps.append(declared ?? map.value)
        return LayoutDefinition(name: name ?? path, fields: fields, ignoredColumns: ignored ?? [])
    }
}
