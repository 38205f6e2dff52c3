import Glibc
import TripDomain
public import TripRuns

/// The progress of long work on a terminal.
///
///     reading     ████████░░░░░░░░ 2 of 3 files   20,412 records   0.1 s   eta 0.1 s
public enum ProgressBar {
    private static let width: Int64 = 16

    /// Draws each report over the one before it; the line of a stage that has ended stays.
    ///
    /// - Parameter screen: The terminal; a longer line than it has could not be drawn over.
    /// - Returns: What draws a report.
    public static func drawing(on screen: Screen) -> @Sendable (WorkProgress) -> Void {
        { progress in
            let text = DisplayWidth.cut(line(progress), to: screen.width - 1)
            write("\r\u{1B}[K" + text + (progress.isFinal ? "\n" : ""))
        }
    }

    /// One report as a line.
    static func line(_ progress: WorkProgress) -> String {
        let (done, total) = (progress.done, progress.total)
        let share = total > 0 ? min(done, total) * width / total : 0
        let stage = progress.stage
        var line = stage + String(repeating: " ", count: max(1, 12 - stage.count))
        line += String(repeating: "█", count: Int(share))
        line += String(repeating: "░", count: Int(width - share))
        line += " \(detail(progress))   \(NumberFormat.seconds(progress.milliseconds))"
        let spent = progress.milliseconds
        if !progress.isFinal, done > 0, total > done, spent > 1000 {
            line += "   eta \(NumberFormat.seconds(spent * (total - done) / done))"
        }
        return line
    }

    private static func detail(_ progress: WorkProgress) -> String {
        let amounts = progress.amounts.map { amount in
            let done = amount.total.map { _ in "\(NumberFormat.count(amount.count)) of " } ?? ""
            return done + Counted.text(amount.total ?? amount.count, amount.noun)
        }.joined(separator: "   ")
        return [amounts, progress.finding].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func write(_ text: String) {
        var bytes = Array(text.utf8)
        // A terminal that was closed must not stop the run.
        _ = Glibc.write(2, &bytes, bytes.count)
    }
}
