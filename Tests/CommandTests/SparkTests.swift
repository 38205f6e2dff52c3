import Testing

/// The job on a cluster, with Spark on this machine.
@Suite struct SparkTests {
    /// `make prove` compares more seeds on more workers, and lets tasks, workers and drivers die.
    @Test(arguments: ["test_package.py", "test_job.py"])
    func theJobIsRight(script: String) throws {
        let ending = try ShellScript(
            "\(Self.java)\n\(Self.python) -B $ROOT/Tests/Spark/\(script)"
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    @Test func aRunOnSparkEqualsOneOnOneMachine() throws {
        let ending = try ShellScript(
            """
            \(Self.java)
            export TRIPTYCH_NOW=2026-11-06T06:14:00Z
            \(Self.python) -B $ROOT/Tests/Spark/equality.py --folder cases --seeds 2 \
                --samples county,unique,nights
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// Java's last compiler, and its collector for many threads, cost jobs as short as these more
    /// than they save.
    private static let java =
        "export JDK_JAVA_OPTIONS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'"
    /// `.ci/setup tests` makes it.
    private static let python = ShellScript.root + "/.build/spark-venv/bin/python"
}
