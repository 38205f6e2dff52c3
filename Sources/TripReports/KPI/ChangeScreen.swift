import TripDomain
import TripMart
public import TripRuns

/// Why the numbers of two months differ: what single regions and trip types contributed.
public struct ChangeScreen {
    private let answer: PublishedChange
    /// The day on which the answer is read.
    private let today: CivilDate
    private var header: GenerationHeader { answer.header }

    /// Shows the changes between two months.
    ///
    /// - Parameters:
    ///   - answer: The changes.
    ///   - now: The time of the command, in seconds of UTC; old data says how old it is.
    public init(_ answer: PublishedChange, now: Int64) {
        self.answer = answer
        today = CivilTime.date(ofSeconds: now)
    }

    /// The answer in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        format.text(lines: lines(on: screen), on: screen, rows: rowSet)
    }

    private var measures: [ChangeMeasure] {
        answer.hasCosts ? ChangeMeasure.allCases : [.inHousePercent]
    }

    /// Whether one dimension was asked for, so that all of its parts are shown.
    private var isWhole: Bool { !answer.query.by.isEmpty }

    private func lines(on screen: Screen) -> [String] {
        let sentence = ChangeSentence(change: answer)
        var lines = measures.map(sentence.text)
        if let open = sentence.openClause { lines.append(open) }
        lines += ["", headline]
        for measure in measures {
            for entry in answer.changes {
                guard let found = entry.changes.first(where: { $0.measure == measure }),
                    found.change != nil, !found.parts.isEmpty
                else { continue }
                lines.append("")
                lines += table(found, entry.dimension).lines(on: screen)
            }
        }
        return lines + [""] + notes
    }

    /// `Generation 418 · SYNTHETIC DATA · published … · data through …`.
    private var headline: String {
        header.clauses(on: today, regionsAsOf: answer.regionsAsOf).joined(separator: " · ")
    }

    /// Where several tables are shown, the parts that each of them has at most.
    private static let shownCount = 8

    /// The way from one month to the other, part by part.
    private func table(_ found: ChangeDecomposition, _ dimension: KPIDimension) -> TextTable {
        var table = TextTable([
            TextTable.Column(title: dimension.rawValue, alignment: .left),
            TextTable.Column(title: "", alignment: .label, rank: 9),
            TextTable.Column(title: "part", alignment: .left),
            TextTable.Column(title: Self.title(found.measure), alignment: .right),
            TextTable.Column(title: Waterfall.legend, alignment: .left, rank: 5),
        ])
        let isCut = !isWhole && found.parts.count > Self.shownCount + 1
        let shown = isCut ? Array(found.parts.prefix(Self.shownCount)) : found.parts
        let rest = found.parts.dropFirst(shown.count)
        let others = rest.reduce(0) { $0 + $1.amount }
        let bars = Waterfall.bars(shown.map(\.amount) + [others])
        func end(_ month: MonthRow, _ value: Int64?) -> [String] {
            let name = month.month.text + (month.isOpen ? " open" : "")
            return [name, "", "", found.measure.text(value), ""]
        }
        table.add(end(answer.from, found.from))
        for (part, bar) in zip(shown, bars) {
            table.add([
                part.value, answer.labels.text(part.value, of: dimension), part.kind.rawValue,
                found.measure.signed(part.amount), bar,
            ])
        }
        if isCut {
            let count = NumberFormat.count(rest.count) + " others"
            table.add([count, "", "", found.measure.signed(others), bars[shown.count]])
        }
        table.add(end(answer.to, found.to))
        return table
    }

    private static func title(_ measure: ChangeMeasure) -> String {
        switch measure {
        case .inHousePercent: "in-house %"
        case .vendorCost: "vendor cost"
        }
    }

    private var notes: [String] {
        var notes = [
            "rate: the group's own in-house % changed, or what one of its contracted trips costs. "
                + "mix: there are more or fewer of its trips"
        ]
        notes += measures.map { measure in
            let (from, to) = (measure.leftOut(answer.sums.from), measure.leftOut(answer.sums.to))
            let what =
                measure == .inHousePercent
                ? "undetermined trips" : "contracted trips without a known cost"
            return "Left out of \(Self.title(measure)): \(NumberFormat.count(from)) and "
                + "\(NumberFormat.count(to)) \(what)"
        }
        return notes + [
            "Parts sum exactly; no small count is hidden in them. "
                + "Method: Kitagawa's decomposition, docs/WHY.md"
                + (isWhole ? "" : ". All parts: --by region or --by trip_type")
        ]
    }

    // MARK: - JSON and CSV

    private func rowSet(withTotal: Bool) -> RowSet {
        var set = RowSet([
            "measure", "from", "to", "dimension", "value", "label", "part", "hundredths", "cents",
            "generation", "data_through", "from_open", "to_open",
        ])
        for measure in measures {
            for entry in answer.changes {
                guard let found = entry.changes.first(where: { $0.measure == measure }) else {
                    continue
                }
                func add(_ value: String, _ label: String, _ part: String, _ amount: Int64?) {
                    let isCost = measure == .vendorCost
                    set.add([
                        .text(measure.rawValue), .text(answer.from.month.text),
                        .text(answer.to.month.text), .text(entry.dimension.rawValue),
                        .text(value), .text(label.isEmpty ? value : label), .text(part),
                        .integer(isCost ? nil : amount), .integer(isCost ? amount : nil),
                        .integer(Int64(header.number)), .text(header.dataThrough?.text),
                        .truth(answer.from.isOpen), .truth(answer.to.isOpen),
                    ])
                }
                for part in found.parts {
                    let label = answer.labels.text(part.value, of: entry.dimension)
                    add(part.value, label, part.kind.rawValue, part.amount)
                }
                if withTotal { add(KPICell.all, "", "change", found.change) }
            }
        }
        return set
    }
}
