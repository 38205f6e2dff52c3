/// Where tests stand and what they are called: `Tests/` mirrors `Sources/`.
enum TestLayout {
    /// Suites about something that is no single type, each with what it is about.
    static let subjects = [
        "Pollution": "damaged exports as a whole, after the Pollock benchmark",
        "Rules": "conditions from their text to their value",
        "SQLiteOracle": "expressions against SQLite itself",
        "Invariance": "equal results for every cut and every number of threads",
        "Arrival": "any order of arrival ends in the same tables",
        "FaultInjection": "an item lost behind the reader is noticed",
        "Recount": "the whole mart against an independent program",
        "Polluted": "damaged exports, judged by position",
        "Spark": "the job on a cluster, beside a run on one machine",
        "Dashboard": "the dashboard in a browser, before the backend",
        "Contract": "the backend against its OpenAPI document",
        "PlannedMeasures": "declared measures of a plan and a difference against the trips",
        "ManifestRun": "a run against what the generator says it planted",
        "ProtectedInformation": "no patient identifier leaves the exports",
        "Sample": "the committed sample and reference files",
        "DamagedValues": "published files whose columns hold what no run writes",
        "ServingFolderDamage": "served files that are not as they were written",
        "ResponseBody": "the bodies of answers, which are a type of the library",
        "Command": "whole commands as golden cases",
        "StyleSheet": "the sheet of the server's pages against its style guide",
        "Documentation": "what the pages promise against what the sources have",
        "StyleMarks": "the marks of the style page against the checks",
        "AmbulancePipeline": "the pipeline folder of that name",
    ]

    /// What is wrong with the name of a test file or of the suite in it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - text: Its text.
    ///   - known: The types, files and folders of the repository.
    /// - Returns: The breaches.
    static func breaches(_ path: String, _ text: SwiftText, known: Set<String>) -> [Breach] {
        let file = path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
        let suites = suites(text)
        let hasTests = text.code.contains { $0.contains("@Test") }
        guard file.hasSuffix("Tests") else {
            return hasTests || !suites.isEmpty
                ? [Breach(path, "holds tests, so it is named for their subject: <Type>Tests")] : []
        }
        var breaches: [Breach] = []
        let name = String(file)
        if suites.map(\.name) != [name] {
            breaches.append(Breach(path, "one suite per file, named as the file: `\(name)`"))
        }
        // `TypeChecker+CallsTests` and `TypeCheckerTests` are both about `TypeChecker`.
        let subject =
            name.dropLast("Tests".count).split(separator: "+").first.map(String.init) ?? ""
        if !known.contains(subject), subjects[subject] == nil {
            breaches.append(
                Breach(path, "`\(subject)` is neither a type, nor a folder, nor a listed subject")
            )
        }
        return breaches
    }

    /// The suites of a file: types whose name ends in `Tests` and that are not extensions.
    static func suites(_ text: SwiftText) -> [(name: String, line: Int)] {
        CodeRules.types(text).filter { $0.name.hasSuffix("Tests") }
    }
}
