import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Different parts never give one identifier, and plain ones look as they are written.
@Suite struct IdentifierPartsTests {
    private func parts(_ joiner: String, trims: Bool = true) -> IdentifierParts {
        var field = FieldDefinition(name: "trip_id", type: .text, columns: ["a", "b"])
        field.joiner = joiner
        field.isTrimmed = trims
        return IdentifierParts(field)
    }

    private func joined(_ joiner: String, _ texts: [String]) -> String {
        String(decoding: parts(joiner).joined(texts.map { Array($0.utf8) }), as: UTF8.self)
    }

    @Test func theFirstPartMayHoldTheMark() {
        #expect(joined("-", ["2026-0001", "M6"]) == "2026-0001-M6")
        #expect(joined("-", ["1-2", "3"]) == "1-2-3")
        #expect(joined(" ", ["run 7", "M6"]) == "run 7 M6")
        #expect(joined(" ", [" 7 ", " M6 "]) == "7   M6")
        // What is not seen is dropped around the whole too, and never makes an id ambiguous.
        #expect(joined("-", ["\u{FEFF}1-2", "3\u{A0}"]) == "1-2-3")
        #expect(joined("-", ["1\u{A0}", "3"]) == "1\u{A0}-3")
    }

    @Test func ambiguousPartsAreEscaped() {
        #expect(joined("-", ["1", "2-3"]) == "1-2\\-3")
        #expect(joined("-", ["1\\", "2"]) == "1\\\\-2")
        #expect(joined(" ", ["A", "B C"]) == "A B\\ C")
        #expect(joined("\\", ["1", "2\\3"]) == "1\\2^\\3")
        #expect(joined("--", ["a-", "b"]) == "a---b")
        #expect(joined("--", ["a", "-b"]) == "a--\\-b")
    }

    @Test(arguments: ["-", " ", "--", ", ", "\\", "aba", "^\\"], [true, false])
    func noTwoListsOfPartsGiveOneText(joiner: String, trims: Bool) {
        let parts = parts(joiner, trims: trims)
        let alphabet = Set(Array(joiner.utf8) + Array("1a\\^ ".utf8)).sorted()
        var dice = SeededDice(seed: 7)
        var known: [[UInt8]: [[UInt8]]] = [:]
        for _ in 0..<60_000 {
            let texts = (0..<2).map { _ in
                (0..<(1 + dice.below(4))).map { _ in alphabet[dice.below(alphabet.count)] }
            }
            func meaning(_ text: [UInt8]) -> [UInt8] {
                text.withUnsafeBufferPointer { trims ? Array(trimmed($0)) : Array($0) }
            }
            let meant = texts.map(meaning)
            // A blank part has no identifier.
            guard !meant.contains([]) else { continue }
            let id = meaning(parts.joined(texts))
            guard let before = known.updateValue(meant, forKey: id) else { continue }
            #expect(before == meant, "\(String(decoding: id, as: UTF8.self))")
        }
        #expect(known.count > 1000)
    }

    @Test(arguments: ["-", "N-", "\\", "S", "/"], [false, true])
    func theMarkOfGeneratedDataIsThatOfTheFirstPart(joiner: String, buildsOneByOne: Bool) throws {
        let firsts = ["SYN-1", "SYN-", "SYN-1\\2", "T-1", "SYM-1", "SYN\\-1", "1SYN-1", "\\SYN-1"]
        for first in firsts {
            // The second part begins with the text between the parts: the plain join is ambiguous.
            for second in ["7", "1" + joiner + "2", joiner + "SYN-3"] {
                let isMarked = first.hasPrefix(IDOrigins.mark)
                // The number cannot be read in the second record.
                let text =
                    "a,b,at,paid\n\(first),\(second),2026-05-03T10:00,1\n"
                    + "\(first),\(second),2026-05-03T10:00,many\n"
                var id = ExportReaderTests.field("trip_id", .text, "a") { $0.isRequired = true }
                (id.columns, id.joiner) = (["a", "b"], joiner)
                let fields = [
                    id, ExportReaderTests.field("pickup_at", .timestamp, "at"),
                    ExportReaderTests.field("cost", .money, "paid"),
                ]
                var request = ExportReaderTests.request(fields: fields)
                request.buildsOneByOne = buildsOneByOne
                let summary = try ExportReader.read(
                    try ByteSource(bytes: Array(text.utf8), name: "test.csv"),
                    request,
                    make: { $0.batch },
                    deliver: { _ in }
                )
                let expected = IDOrigins(1, areGenerated: isMarked)
                #expect(summary.tripOrigins == expected, "\(first) and \(second)")
                #expect(summary.rejectOrigins == expected, "\(first) and \(second)")
            }
        }
    }

    @Test func plainPartsAreRecognised() {
        let parts = parts("-")
        func isPlain(_ text: String, isFirst: Bool) -> Bool {
            Array(text.utf8).withUnsafeBufferPointer { parts.isPlain($0, isFirst: isFirst) }
        }
        #expect(isPlain("1-2", isFirst: true))
        #expect(!isPlain("1-2", isFirst: false))
        #expect(!isPlain("1\\2", isFirst: true))
        #expect(isPlain("M6", isFirst: false))
    }
}
