internal import TripDomain
public import TripRules

extension CompiledPipeline {
    /// The classification and the KPIs as SQL.
    ///
    /// - Parameters:
    ///   - dialect: The dialect.
    ///   - tables: What the tables are called.
    /// - Returns: The SQL.
    /// - Throws: ``PipelineFaults`` with every expression that the dialect cannot say with the same
    ///   meaning, by file and line, and with all that reads an id which trips do not have.
    public func sql(
        in dialect: SQLDialect,
        tables: TripSQL.Tables = .plain
    ) throws(PipelineFaults) -> TripSQL {
        do throws(TripSQL.Faults) {
            return try TripSQL(
                classifier,
                countWhen: pipeline.kpis.countWhen?.text,
                dialect: dialect,
                tables: tables
            )
        } catch {
            throw PipelineFaults(
                faults: error.tablesOfIDs.map { Self.refusal(of: $0) }
                    + error.faults.map { one in
                        let (text, what) = TripClassifier.text(of: one.part, in: pipeline)
                        // What is refused is the meaning of a whole expression.
                        let fault = ExpressionFault(
                            one.fault.code,
                            at: 0..<text.text.utf8.count,
                            one.fault.message,
                            suggestion: one.fault.suggestion
                        )
                        return text.fault(fault, what: what)
                    }
            )
        }
    }

    private static func refusal(of table: ReferenceTable) -> PipelineFault {
        PipelineFault(
            file: table.file,
            line: Int(table.lineNumbers.count > 1 ? table.lineNumbers[1] : 1),
            message: "the list names trips by their ids, and the table of trips has references in "
                + "their place",
            suggestion: "Emit without --trip-refs, for a table that has the ids."
        )
    }
}
