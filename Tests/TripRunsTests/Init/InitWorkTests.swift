import Foundation
import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRuns

@Suite struct InitWorkTests {
    private let folder: RunFolder

    init() throws {
        folder = try RunFolder()
    }

    /// Drafts a pipeline from one export and reads it back.
    private func drafted(
        _ export: String,
        name: String = "in/trips.csv"
    ) throws -> (report: InitReport, pipeline: PipelineDefinition) {
        let report = try work(export, name: name).perform()
        return (report, try PipelineReader.read(path: drafts(name)))
    }

    /// Drafts a pipeline from one export.
    private func work(_ export: String, name: String) throws -> InitWork {
        try folder.write(name, export)
        return InitWork(
            paths: [folder.path + "/" + name],
            folder: drafts(name),
            name: nil,
            now: 1_793_513_640,
            threadCount: 1
        )
    }

    /// The folder that is drafted from an export.
    private func drafts(_ name: String) -> String {
        folder.path + "/" + name.replacing("/", with: "-") + ".draft"
    }

    /// Records of a given form; the argument is the number of the record.
    private func export(_ header: String, _ record: (Int) -> String) -> String {
        ([header] + (1...28).map(record)).joined(separator: "\n") + "\n"
    }

    private func source(_ name: String, _ report: InitReport) -> String? {
        report.decisions.first { $0.field == name }?.source
    }

    @Test func whatIsWrittenRuns() throws {
        let text = export("Trip ID,Pickup,Region,Service Level,Paid,Owner") {
            "T\($0),10/\($0)/2026 8:15,R\($0 % 2),BLS,\($0).50,\($0 % 2 == 0 ? "VA" : "Vendor")"
        }
        let (report, _) = try drafted(text)
        #expect(report.questions.isEmpty)
        #expect(report.status == .published)
        guard case .done(let run) = report.trial else {
            Issue.record("the trial did not run")
            return
        }
        #expect(run.ledger[.accepted].items == 28)
        let sums = try #require(run.months.values.first)
        #expect(sums.inHouseTrips == 14)
        #expect(sums.contractedTrips == 14)
        // Nothing is kept of the trial.
        #expect(FileText.names(in: folder.path)?.contains("mart") == false)
    }

    @Test func amountsAreThoseOfThePaymentAndNotOfTheMiles() throws {
        let text = export("Trip ID,Pickup,Total Miles,Amount Billed,Amount Paid") {
            "T\($0),2026-10-\($0 < 10 ? "0" : "")\($0) 08:15,\($0).2,\($0).50,\($0).25"
        }
        let (report, _) = try drafted(text)
        #expect(source("cost", report) == "`Amount Paid`")
        #expect(source("miles", report) == "`Total Miles`")
        #expect(report.questions.map(\.name) == ["region", "trip_type"])
        #expect(report.status == .publishedWithWarnings)
    }

    @Test(arguments: [
        ("CLM_LINE_ALOWD_CHRG_AMT", "CLM_LINE_CVRD_PD_AMT"), ("Charge Amount", "Paid"),
        ("Billed Amt", "AMT_PD"), ("Allowed", "Line Paid"),
    ])
    func whatWasPaidGoesBeforeWhatWasCharged(charged: String, paid: String) throws {
        for names in [[charged, paid], [paid, charged]] {
            let text = export("Trip ID,Pickup," + names.joined(separator: ",")) {
                "T\($0),10/\($0)/2026 8:15,\($0).50,\($0).25"
            }
            let (report, _) = try drafted(text, name: names[0] + ".csv")
            #expect(source("cost", report) == "`\(paid)`")
            let cost = report.decisions.first { $0.field == "cost" }
            #expect(cost?.evidence.hasSuffix("; other amounts: `\(charged)`") == true)
        }
    }

    @Test func mileageCodesBesideThoseOfServicesAreLinesOfClaims() throws {
        func text(_ codes: [String]) -> String {
            export("Trip ID,Pickup,HCPCS,Paid") {
                "T\($0),10/\($0)/2026 8:15,\(codes[$0 % codes.count]),\($0).25"
            }
        }
        let (report, pipeline) = try drafted(text(["A0429", "A0425", "A0428", "A0422"]))
        let question = try #require(report.questions.first { $0.name == "lines" }).text
        #expect(question.hasPrefix("`HCPCS` has A0425 beside A0428: the records are lines"))
        #expect(pipeline.sources[0].lines == nil)
        let written = try String(
            contentsOfFile: drafts("in/trips.csv") + "/pipeline.yaml",
            encoding: .utf8
        )
        let drafted = written.split(separator: "\n")
        #expect(drafted.contains { $0.hasPrefix("    #   base: [A0428, A0429]") })
        #expect(drafted.contains { $0.hasPrefix("    #   mileage: A0425") })
        #expect(drafted.contains { $0.hasPrefix("    #   kind: trip_type") })
    }

    @Test(arguments: [["A0429", "A0428"], ["A0425", "A0422"]])
    func codesOfOneKindAreTrips(codes: [String]) throws {
        let text = export("Trip ID,Pickup,HCPCS") {
            "T\($0),10/\($0)/2026 8:15,\(codes[$0 % 2])"
        }
        #expect(try drafted(text).report.questions.allSatisfy { $0.name != "lines" })
    }

    @Test func twoColumnsAreTheIDWhereNoneAloneIs() throws {
        let text = export("Run Number,Unit,Pickup,Region,Call Type") {
            "\(($0 + 1) / 2),M\($0 % 2),2026-10-01 08:15,R1,BLS"
        }
        let (report, pipeline) = try drafted(text)
        #expect(source("trip_id", report) == "`Run Number` + `Unit`")
        #expect(pipeline.sources[0].layouts[0].fields[0].joiner == "-")
        #expect(report.questions.map(\.name) == ["trip_id"])
    }

    @Test func columnsOfPatientsAreNotRead() throws {
        let text = export("Trip ID,Pickup,Region,Trip Type,Patient Name,MRN,DOB") {
            "T\($0),2026-10-01 08:15,R1,BLS,Quillfeather\($0),9\($0),1950-01-0\($0 % 9 + 1)"
        }
        let (report, pipeline) = try drafted(text)
        #expect(report.personal == ["Patient Name", "DOB"])
        let fields = pipeline.sources[0].layouts[0].fields
        #expect(fields.first { $0.type == .patientID }?.columns == ["MRN"])
        #expect(!fields.contains { $0.columns == ["Patient Name"] || $0.columns == ["DOB"] })
        let written = try String(
            contentsOfFile: drafts("in/trips.csv") + "/pipeline.yaml",
            encoding: .utf8
        )
        #expect(!written.contains("Quillfeather") && !written.contains("1950"))
    }

    @Test func aTimeThatIsBlankIsMidnight() throws {
        let text = export("Trip ID,Pickup Date,Pickup Time,Region,Trip Type") {
            "T\($0),10/\($0)/2026,\($0 % 4 == 0 ? "" : "8:15"),R1,BLS"
        }
        let (report, pipeline) = try drafted(text)
        let pickup = pipeline.sources[0].layouts[0].fields.first { $0.name == "pickup_at" }
        #expect(pickup?.readsDaysAlone == true)
        #expect(try accepted(report) == 28)
    }

    @Test func noIdIsMadeOfWhatMayNameAPatient() throws {
        let text = export("LASTNAME,Who,Why,Pickup,Region,Trip Type") {
            "Quillfeather\($0),\"Ombersley, Ada\",For Ada,10/\($0)/2026 8:15,R1,BLS"
        }
        let (report, _) = try drafted(text)
        #expect(report.personal == ["LASTNAME", "Who"])
        #expect(source("trip_id", report) == "`Trip Type` + `Pickup`")
        #expect(report.questions.map(\.name) == ["trip_id"])
    }

    @Test(arguments: [
        ("1.2E+11", "46309.5", "trip_id,pickup_at"), ("T7", "46309.5", "trip_id,pickup_at"),
    ])
    func whatASpreadsheetMadeOfIdsAndDaysIsSaid(id: String, day: String, asked: String) throws {
        let text = export("Trip ID,Pickup,Region,Trip Type") { "\(id),\(day),R\($0 % 3),BLS" }
        let report = try work(text, name: "a.csv").perform()
        #expect(report.questions.map(\.name).joined(separator: ",") == asked)
        #expect(report.questions.contains { $0.text.contains("spreadsheet") })
        guard case .notRunnable = report.trial else {
            Issue.record("a folder without a pick-up ran")
            return
        }
    }

    @Test func amountsOfMoreDecimalsAreRoundedAndAsked() throws {
        let text = export("Trip ID,Pickup,Region,Trip Type,Paid,Miles") {
            "T\($0),10/\($0)/2026 8:15,R1,BLS,\($0).255,\($0).1234"
        }
        let (report, pipeline) = try drafted(text)
        let fields = pipeline.sources[0].layouts[0].fields
        #expect(fields.first { $0.name == "cost" }?.isRounded == true)
        #expect(fields.first { $0.name == "miles" }?.isRounded == true)
        #expect(report.questions.map(\.name) == ["cost"])
        #expect(try accepted(report) == 28)
    }

    @Test(arguments: [
        ("Amount", "12.50-", "minus"), ("Valor", "12.50", "`Valor` reads as money"),
        ("Amount", "1.204,50", "decimal commas"),
    ])
    func anAmountThatIsNotReadIsAsked(name: String, amount: String, says: String) throws {
        let text = export("Trip ID;Pickup;Region;Trip Type;\(name)") {
            "T\($0);10/\($0)/2026 8:15;R1;BLS;\(amount)"
        }
        let (report, _) = try drafted(text)
        #expect(report.questions.map(\.name) == ["cost"])
        #expect(report.questions[0].text.contains(says))
    }

    @Test func aColumnThatSaysYesDecides() throws {
        let text = export("Trip ID,Pickup,Region,Trip Type,In House") {
            "T\($0),10/\($0)/2026 8:15,R1,BLS,\($0 % 4 == 0 ? "Y" : "N")"
        }
        let (report, _) = try drafted(text)
        guard case .done(let run) = report.trial else {
            Issue.record("the trial did not run")
            return
        }
        #expect(run.months.values.first?.inHouseTrips == 7)
    }

    @Test func linesOfCommasHideNoId() throws {
        let text = export("Trip ID,Pickup,Region,Trip Type") { "T\($0),10/\($0)/2026 8:15,R1,BLS" }
        let (report, _) = try drafted(text + String(repeating: ",,,\n", count: 20))
        #expect(source("trip_id", report) == "`Trip ID`")
        #expect(report.questions.isEmpty)
        #expect(report.looked.contains("20 lines have no value"))
    }

    /// The trips that the trial took in.
    private func accepted(_ report: InitReport) throws -> Int64? {
        guard case .done(let run) = report.trial else { return nil }
        return Int64(run.ledger[.accepted].items)
    }

    @Test(arguments: [
        (",", "utf-8"), ("\t", "utf-8"), (";", "utf-8"), ("|", "utf-8"),
    ])
    func delimitersAreFound(mark: String, encoding: String) throws {
        let text = export(["Trip ID", "Pickup", "Region", "Trip Type"].joined(separator: mark)) {
            ["T\($0)", "2026-10-01 08:15", "R1", "BLS"].joined(separator: mark)
        }
        let (report, pipeline) = try drafted(text)
        #expect(pipeline.sources[0].dialect.delimiter == mark.utf8.first)
        #expect(pipeline.sources[0].dialect.encoding.word == encoding)
        #expect(report.status == .published)
    }

    @Test func aFolderIsNeverWrittenOver() throws {
        try folder.write("in/trips.csv", "A,B\n1,2\n")
        try folder.write("out/kept", "")
        #expect(throws: RunError.self) {
            try InitWork(
                paths: [folder.path + "/in/trips.csv"],
                folder: folder.path + "/out",
                name: nil,
                now: 0,
                threadCount: 1
            ).perform()
        }
        #expect(FileText.names(in: folder.path + "/out") == ["kept"])
    }

    @Test func anIDDiffersInMostRecords() throws {
        // Blank in some records, so that no other guess takes it; the other column has few values.
        let blank = export("Spalte,Pickup,Fach") {
            "\($0 % 7 == 0 ? "" : "K\($0)"),10/3/2026 8:15,F\($0 % 3)"
        }
        let (report, _) = try drafted(blank, name: "blank.csv")
        #expect(source("trip_id", report) == "`Spalte`")
        let question = report.questions.first { $0.name == "trip_id" }?.text
        #expect(question == "the name of `Spalte` does not say that it names a trip")
        let few = export("Spalte,Pickup,Fach") { "S\($0 % 2),10/3/2026 8:15,F\($0 % 3)" }
        let none = try work(few, name: "few.csv").perform()
        #expect(source("trip_id", none) == nil)
        #expect(none.questions.first?.text.hasPrefix("no column can name a trip") == true)
    }

    @Test(arguments: [
        ("%@.50", true), ("$%@", true), ("%@.125", true), ("%@.5", false), ("%@", false),
    ])
    func whatReadsAsMoneyIsAskedForWhereNoNameSaysIt(form: String, isAsked: Bool) throws {
        let text = export("Trip ID,Pickup,Valor,Nota") {
            let amount = form.replacing("%@", with: "\($0)")
            return "T\($0),10/\($0)/2026 8:15,\($0 % 5 == 0 ? "waived" : amount),x"
        }
        let (report, _) = try drafted(text, name: "valor.csv")
        let question = report.questions.first { $0.name == "cost" }?.text
        let asked = "no name says which column is the cost; `Valor` reads as money in 23 of 28"
        #expect(question == (isAsked ? asked : nil))
        #expect(source("cost", report) == nil)
    }
}
