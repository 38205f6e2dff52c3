import Testing

@testable import TripEngine

@Suite struct CodeListTests {
    @Test(arguments: [
        ("RHQN", "RH QN"), ("TQNH", "TQ NH"), ("RH QN", "RH QN"), ("rh,qn", "RH QN"),
        ("RH-QN", "RH QN"), ("RHTQ / QN", "RH TQ QN"), (" ;RH;;QN| ", "RH QN"), ("A1\t2B", "A1 2B"),
        ("", ""), ("-", ""),
    ])
    func codesAreStoredInOneForm(text: String, codes: String) {
        #expect(CodeList.codes(text) == codes)
        #expect(CodeList.codes(codes) == codes)
    }

    @Test(arguments: ["R", "RHQ", "RH Q N", "R HQN", "RH+QN", "RH QÑ", "RH\u{A0}QN"])
    func aTextThatCannotBeDividedIsNoList(text: String) {
        #expect(CodeList.codes(text) == nil as String?)
    }

    /// Whatever marks stand between codes, a search finds a code exactly where the list has it.
    @Test func aSearchFindsCodesAndNothingElse() {
        let codes = ["QN", "QM", "TQ", "NH", "NQ", "HQ"]
        let marks = ["", " ", ",", "-", ", "]
        for first in codes {
            for second in codes {
                for third in codes {
                    for mark in marks {
                        let text = [first, second, third].joined(separator: mark)
                        let list = CodeList.codes(text) ?? ""
                        for wanted in codes {
                            let isThere = [first, second, third].contains(wanted)
                            #expect(list.contains(wanted) == isThere, "\(text) \(wanted)")
                        }
                    }
                }
            }
        }
    }
}
