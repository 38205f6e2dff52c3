import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Files with more rejects than a file may have.
@Suite struct RejectListTests {
    /// Valid records, lines that are none, and records with a field that cannot be read.
    private static let records = (0..<90).map { number in
        switch number % 3 {
        case 0: "T-\(number),2026-05-03T10:00,528,1.50,2\n"
        case 1: "x\n"
        default: "T-\(number),2026-05-03T10:00,528,much,2\n"
        }
    }.joined()

    private static func outcome(
        _ limits: RejectLimits,
        _ slicing: Slicing = Slicing(threads: 1)
    ) -> Result<Int, SourceFault> {
        do {
            let text = ExportReaderTests.header + records
            let reading = try ExportReaderTests.read(text, slicing: slicing, rejectLimits: limits)
            return .success(reading.rejects.count)
        } catch let fault as SourceFault {
            return .failure(fault)
        } catch {
            preconditionFailure("reading throws only source faults")
        }
    }

    @Test func aFileMayHaveAsManyRejectsAsItsLimit() {
        #expect(Self.outcome(RejectLimits(countMax: 60)) == .success(60))
        #expect(Self.outcome(.none) == .success(60))
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4096], [1, 2, 3, 8])
    func oneMoreRefusesItForEveryCut(sliceSize: Int, threads: Int) throws {
        for limits in [RejectLimits(countMax: 41), RejectLimits(sizeMax: 700)] {
            let whole = Self.outcome(limits)
            guard case .failure(let fault) = whole else {
                Issue.record("the file is refused")
                return
            }
            #expect(fault.code == .tooManyRejects)
            #expect(fault.finding.contains("first at line 3"), "\(fault.finding)")
            let cut = Self.outcome(limits, Slicing(threads: threads, sliceSize: sliceSize))
            #expect(cut == whole)
        }
    }

    @Test func theRefusalNamesTheLineAndTheMostFrequentReason() {
        guard case .failure(let fault) = Self.outcome(RejectLimits(countMax: 2)) else {
            Issue.record("the file is refused")
            return
        }
        #expect(fault.position.lineNumber == 6)
        #expect(
            fault.finding == "has more rejects than a file may have (2) by line 6, mostly "
                + "`too_few_fields`, first at line 3"
        )
    }

    @Test func aDamagedFileIsRefusedForItsDamage() throws {
        let text = Array((ExportReaderTests.header + Self.records).utf8)
        let limits = RejectLimits(countMax: 1)
        for level: Int32 in [0, 6] {
            var file = GzipFile().member(text, level: level)
            #expect(throws: SourceFault.self) {
                try ExportReaderTests.read("", rejectLimits: limits, bytes: file)
            }
            file[file.count - 6] ^= 1
            for windowSize in [64, 4096] {
                let fault = #expect(throws: SourceFault.self) {
                    try ExportReaderTests.read(
                        "",
                        slicing: Slicing(threads: 1, sliceSize: 64, windowSize: windowSize),
                        rejectLimits: limits,
                        bytes: file
                    )
                }
                #expect(fault?.code == .gzipDamaged)
            }
        }
    }

    @Test func unitsThatAreListedAgainCountAsWell() throws {
        let fault = #expect(throws: SourceFault.self) {
            try TripBuilderTests.read(
                "R,2026-05-03T10:00,1.00,"
                    + repeatElement("A", count: 50_002).joined(separator: ";")
                    + "\n"
            )
        }
        #expect(fault?.code == .tooManyRejects)
    }
}
