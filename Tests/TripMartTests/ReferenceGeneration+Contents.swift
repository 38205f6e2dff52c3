import TestSupport
import TripDomain

@testable import TripMart

extension ReferenceGeneration {
    /// The generation in columns, in batches of the given size, which must not affect the result.
    func contents(
        number: Int = 1,
        batchSize: Int = 64,
        suppressBelow: Int = 11
    )
        -> GenerationContents
    {
        var batches: [PackedBatch] = []
        var positions = [Int: TripPosition]()
        for file in 0..<Self.fileCount {
            let own = trips.indices.filter { trips[$0].file == file }
            for start in stride(from: 0, to: own.count, by: batchSize) {
                let rows = Array(own[start..<min(start + batchSize, own.count)])
                for (row, index) in rows.enumerated() {
                    positions[index] = TripPosition(batch: UInt32(batches.count), row: UInt32(row))
                }
                batches.append(Self.batch(file, rows.map { trips[$0] }))
            }
        }
        let columns = Self.columns.map { ShapeColumn(name: $0.0, kind: $0.1, isDerived: false) }
        guard let shape = TripShape(columns: columns, costName: "cost_cents") else {
            preconditionFailure("the reference has all columns a shape needs")
        }
        return GenerationContents(
            summary: summary(number: number, suppressBelow: suppressBelow),
            shape: shape,
            batches: batches,
            acceptedOrder: trips.indices.compactMap { positions[$0] },
            versions: versions,
            rejects: rejects,
            rejectTexts: rejects.map { Array("raw record \($0.recordNumber)".utf8) }
        )
    }

    private func summary(number: Int, suppressBelow: Int) -> GenerationSummary {
        GenerationSummary(
            header: header(number: number, suppressBelow: suppressBelow),
            files: files(),
            clocks: [],
            rules: Self.rules,
            cube: cube(),
            basisCells: basisCells(),
            regions: Self.labels(["08", "10", "UNKNOWN"]),
            tripTypes: Self.labels(["ALS1", "BLS", "FW"]),
            references: Self.references,
            inputs: [
                GenerationInput(
                    role: .pipeline,
                    path: "pipeline.yaml",
                    hash: "00",
                    content: Array("a: b".utf8)
                ),
                GenerationInput(role: .reference, path: "stations.csv", hash: "01", content: []),
            ],
            checks: [
                CheckResult(id: "rejects", condition: "reject_pct > 2", outcome: .pass, detail: "1")
            ]
        )
    }

    func header(number: Int, suppressBelow: Int = 11) -> GenerationHeader {
        GenerationHeader(
            number: number,
            pipeline: "reference",
            isSynthetic: true,
            publishedAt: "2026-11-01 02:14:00 -04:00",
            dataThrough: trips.last.map { CivilTime.date(ofSeconds: $0.pickup) },
            staleAfter: nil,
            settlesAfterDays: 60,
            suppressBelow: suppressBelow,
            rulesHash: "r",
            referenceHash: "f"
        )
    }

    private static func labels(_ values: [String]) -> [DimensionLabel] {
        values.map { DimensionLabel(value: $0, label: "Label of \($0)") }
    }

    private static let references = [
        ReferenceTable(
            lookup: "site",
            file: "stations.csv",
            columnNames: ["station", "from", "rate"],
            columnKinds: [.text, .date, .money],
            columns: [
                .text(TextColumn(codes: [0, 1, 2], pool: TextPool(["528", "546"]))),
                .integer(IntegerColumn(values: [0, 20_000, 0], nulls: [true, false, true])),
                .integer(IntegerColumn(values: [0, 5, 6], nulls: [true, false, false])),
            ],
            lineNumbers: [0, 2, 3]
        )
    ]

    private static func batch(_ file: Int, _ trips: [ReferenceTrip]) -> PackedBatch {
        func texts(_ value: (ReferenceTrip) -> String?) -> Column {
            var pool = TextPool()
            var known: [String: UInt32] = [:]
            let codes = trips.map { trip -> UInt32 in
                guard let text = value(trip) else { return 0 }
                if let code = known[text] { return code }
                let code = pool.append(text)
                known[text] = code
                return code
            }
            return .text(TextColumn(codes: codes, pool: pool))
        }
        func integers(_ value: (ReferenceTrip) -> Int64?) -> Column {
            let values = trips.map(value)
            let hasNulls = values.contains { $0 == nil }
            return .integer(
                IntegerColumn(
                    values: values.map { $0 ?? 0 },
                    nulls: hasNulls ? values.map { $0 == nil } : []
                )
            )
        }
        var batch = TripBatch(
            fileIndex: file,
            columns: [
                texts(\.id), integers(\.pickup), integers { $0.pickup + $0.utcOffset },
                texts(\.station), texts(\.note), integers(\.miles), integers(\.cost),
                texts(\.patient),
                .real(
                    RealColumn(
                        values: trips.map { $0.ratio ?? 0 },
                        nulls: trips.map { $0.ratio == nil }
                    )
                ),
                integers { $0.seen.map { $0 ? 1 : 0 } },
                integers { $0.ordered.map { Int64($0.dayNumber) } },
                texts(\.status), texts(\.region), texts(\.tripType),
            ],
            recordNumbers: trips.map { UInt32($0.record) },
            lineNumbers: trips.map { UInt32($0.record + 1) }
        )
        batch.ruleNumbers = trips.map { UInt16($0.rule) }
        batch.counted = trips.map(\.isCounted)
        return PackedBatch(batch)
    }

    /// Four files of trips, and a fifth that was withdrawn.
    func files() -> [SourceFileEntry] {
        (0...Self.fileCount).map { file in
            let isWithdrawn = file == Self.fileCount
            let ledger = isWithdrawn ? Self.withdrawnLedger : ledger(file)
            return SourceFileEntry(
                source: "claims",
                path: Self.path(file),
                sequence: 1,
                contentHash: "c\(file)",
                archiveHash: "a\(file)",
                archiveSize: 10,
                expandedSize: 20,
                orderKey: "\(file)",
                period: "",
                layout: "native",
                recordCount: ledger.read.items,
                lineCount: ledger.read.items + 1,
                blankLineCount: 0,
                status: isWithdrawn ? .withdrawn : .current,
                ledger: ledger
            )
        }
    }

    private static let withdrawnLedger: Ledger = {
        var ledger = Ledger()
        ledger.read = LedgerAmount(items: 12, cents: 3400, unpriced: 1)
        ledger[.withdrawn] = ledger.read
        return ledger
    }()

    private func ledger(_ file: Int) -> Ledger {
        var ledger = Ledger()
        for trip in trips where trip.file == file {
            ledger[.accepted] += LedgerAmount(items: 1, cents: trip.cost ?? 0)
        }
        for version in versions where version.fileIndex == file {
            ledger[version.term] += LedgerAmount(items: 1, cents: version.amountCents ?? 0)
        }
        for reject in rejects where reject.fileIndex == file {
            ledger[.rejected] += LedgerAmount(
                items: Int64(reject.itemCount),
                cents: reject.amountCents ?? 0,
                unpriced: reject.isUnpriced ? Int64(reject.itemCount) : 0
            )
        }
        ledger.read = ledger.explained
        return ledger
    }

    /// The sums of some trips, by the simplest code.
    static func sums(_ trips: [ReferenceTrip]) -> KPISums {
        var sums = KPISums()
        for trip in trips where trip.isCounted {
            sums.add(tripClass: trip.tripClass, cost: trip.cost, miles: trip.miles)
        }
        return sums
    }

    func cube() -> [KPICell] {
        cells { trip in [[trip.month.text, trip.tripType, trip.region]] }
            .map { KPICell(month: $0[0], tripType: $0[1], region: $0[2], sums: Self.sums($1)) }
    }

    func basisCells() -> [BasisCell] {
        cells { trip in
            [[trip.month.text, trip.tripType, trip.region, trip.tripClass.word, trip.basis]]
        }
        .map { key, trips in
            BasisCell(
                month: key[0],
                tripType: key[1],
                region: key[2],
                tripClass: TripClass(word: key[3]) ?? .undetermined,
                basis: key[4],
                sums: Self.sums(trips).costs
            )
        }
    }

    /// The counted trips by all eight groupings of the first three words of their keys.
    private func cells(_ keys: (ReferenceTrip) -> [[String]]) -> [([String], [ReferenceTrip])] {
        var groups: [[String]: [ReferenceTrip]] = [:]
        for trip in trips where trip.isCounted {
            for key in keys(trip) {
                for mask in 0..<8 {
                    var cell = key
                    for dimension in 0..<3 where mask >> dimension & 1 == 1 {
                        cell[dimension] = KPICell.all
                    }
                    groups[cell, default: []].append(trip)
                }
            }
        }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { ($0.key, $0.value) }
    }
}
