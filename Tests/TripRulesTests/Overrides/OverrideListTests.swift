import TestSupport
import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// Lists of decisions made by hand: what is read, what is refused, and how a trip is found.
@Suite struct OverrideListTests {
    private static let header = "trip_id,class,basis,author,reason,expires"
    private static let classesAndBases = [
        OverrideClassAndBasis(tripClass: .inHouse, basis: "va_fleet"),
        OverrideClassAndBasis(tripClass: .contracted, basis: "contract"),
        OverrideClassAndBasis(tripClass: .contracted, basis: "contract"),
        OverrideClassAndBasis(tripClass: .undetermined, basis: ""),
    ]

    private static func list(_ text: String) throws(ReferenceFaults) -> OverrideList {
        try OverrideList(
            file: "overrides.csv",
            bytes: Array(text.utf8),
            classesAndBases: classesAndBases
        )
    }

    private static func faults(_ lines: String...) -> [String] {
        do throws(ReferenceFaults) {
            _ = try list(([header] + lines).joined(separator: "\n") + "\n")
            return []
        } catch {
            return error.faults.map { "\($0.position?.lineNumber ?? 0): \($0.remedy)" }
        }
    }

    private static func position(_ list: OverrideList, _ id: String) -> Int? {
        Array(id.utf8).withUnsafeBufferPointer { list.position(of: $0) }
    }

    @Test func columnsMayBeInAnyOrder() throws {
        let list = try Self.list(
            """
            expires,reason,trip_id,basis,class,author
            2027-03-31,"a vendor's crew, as the log says",T-1,contract,contracted,office
            2026-12-31,in dispute,T-2,,undetermined,audit

            """
        )
        #expect(list.overrides.map(\.tripID) == [Array("T-1".utf8), Array("T-2".utf8)])
        #expect(list.overrides.map(\.tripClass) == [.contracted, .undetermined])
        #expect(list.overrides.map(\.basis) == ["contract", ""])
        #expect(list.overrides[0].reason == "a vendor's crew, as the log says")
        #expect(list.overrides.map(\.expires.text) == ["2027-03-31", "2026-12-31"])
        #expect(list.overrides.map(\.lineNumber) == [2, 3])
        #expect(list.rules(after: 7).map(\.number) == [8, 9])
        #expect(
            list.rules(after: 7).map(\.id)
                == ["override-contracted-contract", "override-undetermined"]
        )
        #expect(Self.position(list, "T-2") == 1)
        #expect(Self.position(list, "T-3") == nil)
    }

    @Test func aListWithoutLinesHasNoRule() throws {
        let list = try Self.list(Self.header + "\n")
        #expect(list.overrides.isEmpty)
        #expect(list.rules(after: 3).isEmpty)
        #expect(Self.position(list, "") == nil)
    }

    @Test func anOverrideIsInForceOnItsLastDay() throws {
        let list = try Self.list(Self.header + "\nT-1,undetermined,,a,b,2026-06-30\n")
        let override = list.overrides[0]
        #expect(override.isInForce(CivilDate(text: "2026-06-30")))
        #expect(!override.isInForce(CivilDate(text: "2026-07-01")))
        #expect(!override.isInForce(nil))
    }

    /// Every fault is reported at once, with its line, and none repeats what may identify a
    /// patient.
    @Test func everyLineThatCannotBeUsedIsReported() {
        let faults = Self.faults(
            "T-1,contracted,contract,office,why,2027-03-31",
            "T-2,vendor,contract,office,why,2027-03-31",
            "T-3,contracted,lease,office,why,2027-03-31",
            "T-4,contracted,contract,,,31.03.2027",
            "T-5,contracted,contract,office,why,2027-02-30",
            "T-1,in_house,va_fleet,office,why,2027-03-31",
            ",in_house,va_fleet,office,why,2027-03-31",
            "T-7,A PATIENT,va_fleet,office,why,2027-03-31"
        )
        #expect(
            faults == [
                "3: 'class' is no class; expected in_house, contracted or undetermined",
                "4: no rule gives contracted with this 'basis'; expected one of "
                    + "in_house (va_fleet), contracted (contract), undetermined",
                "5: 'author' and 'reason' are blank; expected a value: `basis` alone may be blank",
                "6: 'expires' is no day; expected one as YYYY-MM-DD",
                "7: the trip is already in line 2; expected one line per trip",
                "8: 'trip_id' is blank; expected a value: `basis` alone may be blank",
                "9: 'class' is no class; expected in_house, contracted or undetermined",
            ]
        )
    }

    @Test(arguments: [
        ("trip_id,class,basis,author,reason,expiry", "lacks expires and has 1 column that no"),
        ("trip_id,class,basis,author,reason", "lacks expires; expected"),
        ("trip_id,class,basis,author,reason,expires,ticket", "has 1 column that no override has"),
    ])
    func theHeaderHasTheseColumnsAndNoOther(header: String, what: String) throws {
        let error = #expect(throws: ReferenceFaults.self) { try Self.list(header + "\n") }
        let fault = try #require(error?.faults.first)
        #expect(fault.position?.lineNumber == 1)
        #expect(fault.remedy.contains(what), "\(fault.remedy)")
    }

    /// Ids are compared as bytes, and ids with the same hash bits are distinguished.
    @Test(arguments: [UInt64(1), 2, 3])
    func findsWhatAPlainSearchFinds(seed: UInt64) throws {
        var random = SeededDice(seed: seed)
        let ids = ["e\u{301}", "\u{E9}", "T 1"] + (0..<3000).map { "T-\($0 * 7)" }
        let chosen = ids.filter { _ in random.below(3) == 0 }
        let lines = chosen.map { "\($0),undetermined,,a,b,2026-06-30" }
        let list = try Self.list(([Self.header] + lines).joined(separator: "\n") + "\n")
        let bytes = chosen.map { Array($0.utf8) }
        for id in ids + (0..<9000).map({ "T-\($0)" }) {
            #expect(Self.position(list, id) == bytes.firstIndex(of: Array(id.utf8)))
        }
    }

    /// Bases that differ only in characters that no rule id may have still get rules of their own.
    @Test func everyClassAndBasisHasItsOwnRule() throws {
        let list = try OverrideList(
            file: "o.csv",
            bytes: Array(
                (Self.header
                    + "\nT-1,contracted,a b,x,y,2026-06-30\nT-2,contracted,a.b,x,y,2026-06-30\n")
                    .utf8
            ),
            classesAndBases: ["a b", "a.b"].map {
                OverrideClassAndBasis(tripClass: .contracted, basis: $0)
            }
        )
        #expect(
            list.rules(after: 0).map(\.id)
                == ["override-contracted-a.20b", "override-contracted-a.2eb"]
        )
        #expect(list.overrides.map { list.rule(of: $0) } == [0, 1])
    }
}
