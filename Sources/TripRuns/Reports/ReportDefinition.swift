/// What a report folder says: `report.yaml` with the words, `page.html` with the form.
struct ReportDefinition {
    let title: String
    let purpose: String
    /// How many months, the latest included.
    let monthCount: Int
    let template: String

    /// Reads a report folder.
    ///
    /// - Throws: ``PipelineFault`` where a file is missing or cannot be understood.
    static func read(_ name: String, reportsFolder: String) throws(PipelineFault) -> Self {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
        guard isPlain else {
            throw PipelineFault(
                file: name,
                message: "a report's name is lower-case letters, digits and `-`"
            )
        }
        let folder = reportsFolder + "/" + name
        let shown = name + "/report.yaml"
        let bytes = try FileText.read(folder + "/report.yaml", shown: shown)
        var map = try YAMLMap(
            try YAMLValue.read(String(decoding: bytes, as: UTF8.self), file: shown),
            "the report"
        )
        let title = try map.required("title", "title: Monthly in-house statement")
        let purpose = try map.text("purpose")
        let months = try map.optional("months")?.number("`months`") ?? 24
        try map.finish()
        let page = try FileText.read(folder + "/page.html", shown: name + "/page.html")
        return ReportDefinition(
            title: try title.text("`title`"),
            purpose: purpose ?? "",
            monthCount: min(240, max(1, months)),
            template: String(decoding: page, as: UTF8.self)
        )
    }
}
