import TripDomain
import TripEngine
public import TripRules

/// The parts of a pipeline that decide what is stored, each as one text: equal texts decide alike.
///
/// The approval policy belongs to them: otherwise an edit of it would itself be published without
/// approval.
///
/// Settings that only control a run are left out (checks, `trip_ids`, rhythm, settle time, the fate
/// of refused files): they take effect at once and change no stored value. Comments, line numbers
/// and examples are left out as well.
public enum DecisionText {
    /// The parts by their key in the pipeline file.
    static func parts(of pipeline: PipelineDefinition) -> [(name: String, text: String)] {
        [
            ("time_zone", pipeline.timeZone), ("zone_from", zone(pipeline)),
            ("sources", pipeline.sources.map(source).joined(separator: "\n")),
            ("fields", fields(pipeline)),
            ("lookups", pipeline.lookups.map(lookup).joined(separator: "\n")),
            (
                "derived",
                pipeline.derived.map { "\($0.name): \($0.expression.text)" }.joined(separator: "\n")
            ),
            ("rules", pipeline.rules.map(rule).joined(separator: "\n")),
            ("overrides", pipeline.overrides?.decisions.joined(separator: "\n") ?? ""),
            ("kpis", kpis(pipeline.kpis)),
            // It decides no trip, so that the hash of the rules does not have it.
            ("goal", goals(pipeline.kpis.goals)),
            ("kpis.measures", pipeline.kpis.measures.map(measure).joined(separator: "\n")),
            (
                "kpis.dimensions",
                pipeline.kpis.dimensions.map { joined([$0.dimension.name, $0.text.text]) }
                    .joined(separator: "\n")
            ),
            ("kpis.fiscal_year", "\(pipeline.kpis.fiscalYearStart)"),
            ("dimensions", labels(pipeline)),
            ("changes", changes(pipeline)),
        ]
    }

    /// The text of the rules alone; every generation stores a hash of it.
    public static func rules(of pipeline: PipelineDefinition) -> String {
        let deciding: Set = ["lookups", "derived", "rules", "overrides", "kpis"]
        return parts(of: pipeline)
            // An empty list of overrides gives the same text as no list.
            .filter { deciding.contains($0.name) && ($0.name != "overrides" || !$0.text.isEmpty) }
            .map { "\($0.name)\n\($0.text)" }.joined(separator: "\n")
    }

    /// The names of the parts in which two pipelines decide differently.
    public static func differences(
        _ left: PipelineDefinition,
        _ right: PipelineDefinition
    ) -> [String] {
        zip(parts(of: left), parts(of: right))
            .filter { ByteText($0.text) != ByteText($1.text) }
            .map { $0.0.name }
    }

    private static func zone(_ pipeline: PipelineDefinition) -> String {
        pipeline.zoneLookup.map { "\($0.lookup).\($0.column)" } ?? ""
    }

    private static func source(_ source: SourceDefinition) -> String {
        let order =
            switch source.order {
            case .path: "path"
            case .name(let pattern): "name \(pattern.text)"
            case .field(let field): "field \(field)"
            }
        // A pattern that only loses the `*` after its ending claims the same exports as before.
        let globs = source.globs.map { SourceDefinition.withoutLastStar($0) ?? $0 }
        return [
            source.name, globs.joined(separator: " "), "\(source.dialect)", order,
            source.replaces.rawValue, source.period?.text ?? "", source.unknownColumns.rawValue,
            source.layouts.map(\.name).joined(separator: " "),
        ].joined(separator: "\n")
            // Only where declared, so that pipelines of earlier versions have no edit.
            + (source.preambleLines == 0 ? "" : "\npreamble \(source.preambleLines)")
            + (source.ignoresHeaderCase ? "\nheader_case ignore" : "")
            + (source.lines.map { "\nlines \(lines($0))" } ?? "")
    }

    private static func lines(_ lines: ClaimLineDefinition) -> String {
        let kinds = lines.kinds.map { "\($0)=\($1.rawValue)" }.sorted()
        let sums = lines.sums.map { sum in
            "\(sum.field)=" + sum.kinds.map(\.rawValue).sorted().joined(separator: ",")
        }
        let frequencies = lines.frequency?.values.map { "\($0)=\($1.rawValue)" }.sorted() ?? []
        return [
            joined(lines.claim), joined([lines.line ?? "", lines.kind]), joined(kinds),
            joined(lines.shared), joined(sums),
            joined([lines.frequency?.field ?? ""] + frequencies), joined(lines.replaced),
        ].joined(separator: "; ")
    }

    private static func fields(_ pipeline: PipelineDefinition) -> String {
        pipeline.sources.flatMap(\.layouts).map { layout in
            ([layout.name] + layout.ignoredColumns + layout.fields.map(field))
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func field(_ field: FieldDefinition) -> String {
        let values = field.valueMap.map { "\($0)=\($1 ?? "null")" }.sorted()
        var parts = [field.name, field.type.rawValue]
        parts += field.columns
        parts += [field.joiner, field.constant ?? "", field.separator ?? ""]
        parts += ["\(field.isRequired) \(field.isTrimmed) \(field.isUppercased)"]
        parts += [field.pattern?.text ?? "", "\(field.isValueMapClosed)"]
        parts += [field.range.map { "\($0.lowerBound)…\($0.upperBound)" } ?? ""]
        parts += field.formats.map(\.text)
        parts += field.allowsFuture ? ["allow_future"] : []
        // Only what is declared, so that pipelines of earlier versions have no edit.
        parts += field.cut.isEmpty ? [] : ["cut \(field.cut.text)"]
        parts += field.isFirstReadable ? ["first"] : []
        parts += field.allowsBlankParts ? ["blank_parts"] : []
        parts += field.ifNoUnit.map { ["if_none \($0.rawValue)"] } ?? []
        parts +=
            field.unitTime.map { ["unit_time \($0.nextDaySeconds) \($0.field) \($0.mark)"] } ?? []
        parts += field.unitTime?.ifNoTime == .record ? ["if_no_time record"] : []
        parts += field.isSourcePosition ? ["source_position"] : []
        parts += field.readsDaysAlone ? ["day_alone"] : []
        parts += field.isRounded ? ["round"] : []
        return joined(parts + values)
    }

    /// A look-up as one text: all that decides which row a trip gets.
    public static func lookup(_ lookup: LookupDefinition) -> String {
        let keys = lookup.keys.map { "\($0.field)=\($0.column)" }
        let types = lookup.types.map { "\($0):\($1.rawValue)" }.sorted()
        return joined(
            [lookup.name, lookup.file, lookup.validOn ?? "", lookup.fromColumn]
                + [lookup.toColumn, lookup.cardinality.rawValue] + keys + types
        )
    }

    private static func rule(_ rule: RuleText) -> String {
        joined([
            rule.id, rule.tripClass.word, rule.basis, rule.when.text, rule.because,
            rule.validFrom?.text ?? "", rule.validTo?.text ?? "",
        ])
    }

    private static func kpis(_ kpis: KPIDefinition) -> String {
        "\(kpis.countWhen?.text ?? "")|\(kpis.costField ?? "")|\(kpis.settlesAfterDays)|"
            + "\(kpis.suppressBelow)"
    }

    private static func goals(_ goals: [Goal]) -> String {
        goals.map { "\($0.from.text) \($0.inHousePercentHundredths)" }.joined(separator: "|")
    }

    private static func measure(_ measure: MeasureDefinition) -> String {
        let declared = measure.measure
        return joined([
            declared.name, declared.kind.rawValue, measure.text.text, declared.label, declared.unit,
        ])
    }

    private static func changes(_ pipeline: PipelineDefinition) -> String {
        [pipeline.ruleChanges.rawValue, pipeline.referenceChanges.rawValue]
            .joined(separator: "|") + "|" + pipeline.approval.rawValue
    }

    private static func labels(_ pipeline: PipelineDefinition) -> String {
        pipeline.labels.map { "\($0)|\($1.file)|\($1.valueColumn)|\($1.labelColumn)" }
            .sorted().joined(separator: "\n")
    }

    /// Joins texts, each in quotes with its own quotes escaped, so that no two lists of texts give
    /// the same result.
    private static func joined(_ texts: [String]) -> String {
        texts.map { String(reflecting: $0) }.joined(separator: "|")
    }
}
