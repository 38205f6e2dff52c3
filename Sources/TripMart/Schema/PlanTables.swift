/// The tables of a plan file: the state that the plan is bound to, and its effects.
///
/// The cube and the inputs have the tables of a generation, so that the same queries read both.
enum PlanTables {
    static let ddl = [
        """
        CREATE TABLE plan(
            id TEXT PRIMARY KEY,
            pipeline TEXT NOT NULL,
            synthetic INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            generation_sum TEXT NOT NULL,
            made_at TEXT NOT NULL,
            made_by TEXT NOT NULL,
            pipeline_path TEXT NOT NULL,
            reference_path TEXT NOT NULL
        );

        CREATE TABLE edit(
            number INTEGER PRIMARY KEY,
            what TEXT NOT NULL
        );

        CREATE TABLE edit_move(
            number INTEGER PRIMARY KEY,
            what TEXT NOT NULL,
            trips INTEGER NOT NULL,
            in_house_trips INTEGER NOT NULL,
            contracted_trips INTEGER NOT NULL,
            undetermined_trips INTEGER NOT NULL,
            cost_cents INTEGER NOT NULL
        );

        CREATE TABLE edit_sample(
            number INTEGER NOT NULL,
            trip_ref TEXT NOT NULL,
            PRIMARY KEY(number, trip_ref)
        ) WITHOUT ROWID;

        CREATE TABLE rule_move(
            number INTEGER PRIMARY KEY,
            old_rule TEXT,
            new_rule TEXT,
            trips INTEGER NOT NULL,
            counted_trips INTEGER NOT NULL
        );

        CREATE TABLE rule_sample(
            number INTEGER NOT NULL,
            trip_ref TEXT NOT NULL,
            PRIMARY KEY(number, trip_ref)
        ) WITHOUT ROWID;

        CREATE TABLE ground_move(
            old TEXT NOT NULL,
            new TEXT NOT NULL,
            trips INTEGER NOT NULL,
            costed_trips INTEGER NOT NULL,
            cost_cents INTEGER NOT NULL,
            PRIMARY KEY(old, new)
        ) WITHOUT ROWID;

        CREATE TABLE cell_move(
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            trips INTEGER NOT NULL,
            in_house_trips INTEGER NOT NULL,
            contracted_trips INTEGER NOT NULL,
            undetermined_trips INTEGER NOT NULL,
            PRIMARY KEY(month, trip_type, region)
        ) WITHOUT ROWID;
        """, OriginTables.inputDDL, CubeTables.ddl,
    ].joined(separator: "\n")
}
