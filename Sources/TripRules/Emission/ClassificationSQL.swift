internal import TripDomain

/// Writes a classifier as one SELECT: a chain of named queries, each with more known of the trips.
///
///     fields → joined_1 → derived_1 → joined_2 → … → decided → the SELECT
struct ClassificationSQL {
    let classifier: TripClassifier
    let dialect: SQLDialect
    let tables: TripSQL.Tables
    /// Every expression that is refused.
    private(set) var faults: [ClassifierFault] = []
    /// The named queries so far.
    var queries: [String] = []
    /// The last of the chain.
    var last = "fields"
    /// What is known of derived texts, by name.
    private var shapes: [String: TextShape] = [:]
    /// The columns that some expression reads.
    let namesRead: Set<String>

    init(_ classifier: TripClassifier, _ dialect: SQLDialect, _ tables: TripSQL.Tables) {
        self.classifier = classifier
        self.dialect = dialect
        self.tables = tables
        let ruleSet = classifier.ruleSet
        let programs = ruleSet.derived.map(\.program) + ruleSet.rules.map(\.flatProgram)
        namesRead = Set(
            (programs + [classifier.countWhen].compactMap(\.self)).flatMap(\.namesUsed)
        )
    }

    /// The columns of the table of trips: every field but the patient's.
    var tripColumns: [ShapeColumn] {
        classifier.shape.columns.prefix(classifier.fieldCount).filter { $0.kind != .patient }
            .map { column in
                guard column.name == Self.tripID else { return column }
                return ShapeColumn(name: tripKey, kind: column.kind, isDerived: false)
            }
    }

    private static let tripID = "trip_id"

    /// The column by which trips are told apart.
    var tripKey: String { tables.haveTripIDs ? Self.tripID : "trip_ref" }

    /// The reference tables that are joined by an id which trips do not have.
    var tablesOfIDs: [ReferenceTable] {
        guard !tables.haveTripIDs else { return [] }
        let joined = classifier.lookups.filter { lookup in
            readsRows(of: lookup)
                && lookup.definition.keys.contains { $0.field == Self.tripID }
        }
        return joined.map(\.table) + [overrides?.table].compactMap(\.self)
    }

    /// The list of overrides, where it has any line.
    var overrides: OverrideList? {
        classifier.overrides.flatMap { $0.overrides.isEmpty ? nil : $0 }
    }

    /// Whether some expression reads what a look-up finds.
    func readsRows(of lookup: LookupIndex) -> Bool { !columnsRead(of: lookup).isEmpty }

    /// The columns of a look-up that expressions read.
    func columnsRead(of lookup: LookupIndex) -> [String] {
        let own = lookup.table.columnNames + [ScopeLookup.matched, ScopeLookup.matchCount]
        return own.filter { namesRead.contains("\(lookup.definition.name).\($0)") }
    }

    /// The columns of the classified trips.
    var columnNames: [String] {
        let derived = classifier.derived.map(\.name)
        return tripColumns.map(\.name) + dateNames + derived
            + ["month", "class", "basis", "rule", "counted"]
    }

    private var dateNames: [String] {
        classifier.dateSources.map {
            ShapeColumn.dateName(ofTimestamp: classifier.shape.columns[$0].name)
        }
    }

    /// The SELECT.
    ///
    /// - Parameter countWhen: The text of the condition for counting.
    /// - Returns: The SQL, empty in each place whose expression is refused.
    mutating func write(countWhen: String?) -> String {
        addFields()
        addSteps()
        addRules()
        addDecisions(countWhen)
        let names = columnNames.map { name in
            switch name {
            case "month": "substr(decided.pickup_at, 1, 7) AS month"
            case "class", "basis": "rule.\(name)"
            case "rule": "rule.id AS rule"
            default: "decided.\(quoted(name))"
            }
        }
        return "WITH\n\(queries.joined(separator: ",\n"))\nSELECT\n  "
            + names.joined(separator: ",\n  ")
            + "\nFROM decided\nJOIN rule ON rule.number = decided.rule_number"
    }

    func quoted(_ name: String) -> String { dialect.quoted(name) }

    /// Adds a named query.
    mutating func add(_ name: String, _ comment: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let indented = lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
        queries.append("-- \(comment)\n\(name) AS (\n\(indented)\n)")
    }

    /// A name for the next query of a kind.
    private func next(_ kind: String) -> String {
        let count = queries.count { $0.contains("\n\(kind)_") }
        return "\(kind)_\(count + 1)"
    }

    // MARK: Fields and derived fields

    /// What stands for a region or trip type that is not known.
    private static let words = [
        "region": TripClassifier.unknownRegion, "trip_type": TripClassifier.otherTripType,
    ]

    private mutating func addFields() {
        let fields = tripColumns.map { column in
            let name = quoted(column.name)
            guard let word = Self.words[column.name], column.kind == .text else { return name }
            return "coalesce(\(name), \(dialect.literal(word))) AS \(name)"
        }
        let days = classifier.dateSources.map { index in
            let stamp = classifier.shape.columns[index].name
            let day = ShapeColumn.dateName(ofTimestamp: stamp)
            return "substr(\(quoted(stamp)), 1, 10) AS \(quoted(day))"
        }
        let list = (fields + days).joined(separator: ",\n  ")
        add(
            "fields",
            "The trips as typed, with the days of their time stamps.",
            "SELECT\n  \(list)\nFROM \(tables.trips)"
        )
    }

    private mutating func addSteps() {
        var lookups: [LookupIndex] = []
        var derived: [Int] = []
        for step in classifier.steps {
            switch step {
            case .lookup(let index):
                addDerived(&derived)
                lookups.append(classifier.lookups[index])
            case .derived(let index):
                addLookups(&lookups)
                let names = Set(derived.map { classifier.derived[$0].name })
                // A column is known to the queries after its own.
                let reads = classifier.ruleSet.derived[index].program.namesUsed
                if !names.isDisjoint(with: reads) { addDerived(&derived) }
                derived.append(index)
            }
        }
        addLookups(&lookups)
        addDerived(&derived)
    }

    private mutating func addDerived(_ indexes: inout [Int]) {
        guard !indexes.isEmpty else { return }
        let columns = indexes.map { index in
            let field = classifier.ruleSet.derived[index]
            let text = filled(field.name, expression(field.program, .derived(index)))
            if case .value(.text(let node)) = field.program.root {
                shapes[field.name] = writer.shape(node)
            }
            return "\(text) AS \(quoted(field.name))"
        }
        let name = next("derived")
        let list = columns.joined(separator: ",\n  ")
        add(name, "Derived fields.", "SELECT\n  \(last).*,\n  \(list)\nFROM \(last)")
        last = name
        indexes = []
    }

    /// A region or trip type with a word where it is not known.
    private func filled(_ name: String, _ text: String) -> String {
        guard let word = Self.words[name] else { return text }
        let literal = dialect.literal(word)
        return text.hasPrefix("coalesce(") && text.hasSuffix(", \(literal))")
            ? text : "coalesce(\(text), \(literal))"
    }

    // MARK: Expressions

    var writer: ExpressionSQL {
        ExpressionSQL(dialect, classifier.ruleSet.flatScope, shapes: shapes)
    }

    /// A value as it is stored; what is refused becomes a fault.
    private mutating func expression(_ program: Program, _ part: ClassifierFault.Part) -> String {
        noting(program, part) { (writer) throws(SQLRefusal) in try writer.stored(program.root) }
    }

    /// A condition, each part that AND joins at its top on a line of its own.
    mutating func condition(
        _ program: Program,
        _ part: ClassifierFault.Part,
        after others: [String] = []
    ) -> String {
        noting(program, part) { (writer) throws(SQLRefusal) in
            guard case .condition(let node) = program.root else {
                preconditionFailure("the program is a condition")
            }
            var parts = others
            if case .all(let nodes) = node.operation {
                for node in nodes { parts.append(try writer.truth(node).at(.not)) }
            } else {
                parts.append(try writer.truth(node).at(others.isEmpty ? .or : .not))
            }
            return parts.joined(separator: "\n      AND ")
        }
    }

    private mutating func noting(
        _ program: Program,
        _ part: ClassifierFault.Part,
        _ write: (inout ExpressionSQL) throws(SQLRefusal) -> String
    ) -> String {
        var writer = writer
        do throws(SQLRefusal) {
            guard tables.haveTripIDs || !program.namesUsed.contains(Self.tripID) else {
                throw SQLRefusal(
                    what: "trip_id: the table of trips has references in the place of ids",
                    remedy: "emit without --trip-refs, for a table that has the ids"
                )
            }
            return try write(&writer)
        } catch {
            let fault = ExpressionFault(
                .notSupported,
                at: 0..<0,
                error.what,
                suggestion: error.remedy
            )
            faults.append(ClassifierFault(part: part, fault: fault))
            return ""
        }
    }
}
