internal import TripDomain

/// How a file is cut for several threads.
///
/// Results are the same for every cut.
public struct Slicing: Sendable, Hashable {
    /// The number of threads that may work at once.
    public var threads: Int
    /// The size of the piece one thread scans at a time, in bytes.
    public var sliceSize: Int
    /// The number of expanded bytes read at a time; twice as many are in memory.
    public var windowSize: Int

    /// Makes a cut.
    ///
    /// - Parameters:
    ///   - threads: The number of threads that may work at once; at least 1.
    ///   - sliceSize: The size of a piece. 2 MiB: larger was no faster, 2026-11.
    ///   - windowSize: The bytes read at a time; by default two slices for each thread.
    public init(threads: Int, sliceSize: Int = 2 << 20, windowSize: Int? = nil) {
        precondition(threads > 0 && sliceSize > 0, "work needs a thread and a piece")
        self.threads = threads
        self.sliceSize = sliceSize
        self.windowSize = windowSize ?? sliceSize * threads * (threads == 1 ? 1 : 2)
    }
}

/// Scans the records that start in one window, in slices that run in parallel.
///
/// BE ADVISED: a slice begins on a guess, at its first line start, which may lie inside a quoted
/// field. The guesses are checked in order once all slices are done:
///
///     slice 0              slice 1              slice 2
///     |r    r    r    r    ┆  ?r   r    r    r  ┆ ?r    r    r    r |
///     known start     └────┴──▶ does a record of slice 1 start here?
///
/// If slice 1 began there, its result is valid. If it reached that start later, or if a scan from
/// there reaches one of its starts, then it *ends* where the true scan ends, though it began wrong:
/// the true start of slice 2 is known, and slice 1 is scanned once more with a new sink. All slices
/// that need it are scanned again in parallel. So the result is exactly that of one scan from the
/// window's start, for every cut, and no input costs more than twice the work.
struct WindowScan<Sink: RecordSink> {
    private let text: ScanText
    private let rules: RecordRules
    /// The range of each slice's record starts.
    private let ranges: [Range<Int>]

    private var kept: [Int] = []

    /// The valid slices, in order.
    private(set) var slices: [SliceScan<Sink>] = []
    /// The first byte that no slice has scanned.
    private(set) var stop: Int
    /// Set where the record at `stop` is a reject whose line continues beyond the window.
    private(set) var openReject: SliceScan<Sink>.OpenReject?

    /// Cuts a window.
    ///
    /// - Parameters:
    ///   - text: The window.
    ///   - start: The first record start in it.
    ///   - rules: The conditions records must meet.
    ///   - sliceSize: The size of a slice.
    init(
        _ text: ScanText,
        from start: Int,
        rules: RecordRules,
        sliceSize: Int
    ) {
        self.text = text
        self.rules = rules
        stop = start
        let count = max(1, (text.end - start) / sliceSize)
        ranges = (0..<count).map { index in
            let from = start + index * sliceSize
            return from..<(index == count - 1 ? text.end : from + sliceSize)
        }
    }

    /// Scans the window.
    ///
    /// - Parameters:
    ///   - threads: The number of threads that may work at once.
    ///   - makeSink: Makes an empty sink; called only on the calling thread.
    ///   - prepare: Prepares the first slice before it is scanned.
    ///   - alongside: Work that is done at the same time; nil where there is none.
    mutating func run(
        threads: Int,
        makeSink: () -> Sink,
        prepare: (inout SliceScan<Sink>) -> Void,
        alongside: (() -> Void)?
    ) {
        // A slice's first start: known for the first slice, guessed for the others, nil where the
        // slice has no line start.
        let starts = ranges.indices.map { index in
            index == 0 ? ranges[0].lowerBound : text.lineStart(from: ranges[index].lowerBound)
        }
        var scans = ranges.map { _ in SliceScan(rules: rules, sink: makeSink()) }
        prepare(&scans[0])
        let extra = alongside == nil ? 0 : 1
        scans.withUnsafeMutableBufferPointer { slots in
            Parallel.forEach(slots.count + extra, threads: threads) { job in
                let index = job - extra
                guard index >= 0 else {
                    alongside?()
                    return
                }
                let range = ranges[index]
                if let start = starts[index], start <= range.upperBound {
                    slots[index].scan(
                        text,
                        from: start,
                        to: range.upperBound
                    )
                }
                slots[index].sink.finish()
            }
        }
        let wrong = stitch(scans, starts: starts)
        for (index, _) in wrong {
            scans[index] = SliceScan(rules: rules, sink: makeSink())
        }
        scans.withUnsafeMutableBufferPointer { slots in
            Parallel.forEach(wrong.count, threads: threads) { job in
                let (index, start) = wrong[job]
                slots[index].scan(
                    text,
                    from: start,
                    to: ranges[index].upperBound
                )
                slots[index].sink.finish()
            }
        }
        slices = kept.map { scans[$0] }
        openReject = slices.last?.openReject
    }

    /// Finds the true start of each slice, and sets which slices are kept and where the window
    /// stops.
    ///
    /// - Parameters:
    ///   - scans: The slices as they were scanned on a guess.
    ///   - starts: The guesses.
    /// - Returns: The slices that began wrong, with their true starts.
    private mutating func stitch(
        _ scans: [SliceScan<Sink>],
        starts: [Int?]
    ) -> [(index: Int, start: Int)] {
        var wrong: [(index: Int, start: Int)] = []
        for index in ranges.indices {
            let limit = ranges[index].upperBound
            // The first slice is kept even if no record starts in it: it may hold a reject whose
            // line began in an earlier window.
            guard index == 0 || stop < limit else { continue }
            kept.append(index)
            var isTrue = index == 0 || starts[index] == stop
            var isCutOff = scans[index].isCutOff
            var end = scans[index].stop
            if !isTrue {
                wrong.append((index, stop))
                var probe = SliceScan(rules: rules, sink: NullSink())
                isTrue = probe.scan(
                    text,
                    from: stop,
                    to: limit,
                    stopsAt: scans[index].starts
                )
                if !isTrue {
                    isCutOff = probe.isCutOff
                    end = probe.stop
                }
            }
            stop = end
            if isCutOff { break }
        }
        return wrong
    }
}
