import Testing

@testable import TripRuns

@Suite struct ColumnWordsTests {
    @Test(arguments: [
        ("PickupDate", "pickup date"), ("Svc_Date/Time", "svc date time"), ("Run #", "run #"),
        ("  VISN ", "visn"), ("LOS", "los"), ("trip2Id", "trip2id"), ("--", ""),
    ])
    func namesAreDividedAtMarksAndCapitals(name: String, words: String) {
        #expect(ColumnWords(name).text == " \(words) ")
    }

    @Test(arguments: [
        ("PUDATE", "pu date"), ("lastname", "last name"), ("AMTPAID", "amt paid"),
        ("runno", "run no"), ("pickupdatetime", "pickup datetime"),
        ("DateOfService", "date of service"),
        // Words that are known, or not made of known words alone.
        ("station", "station"), ("manifest", "manifest"), ("payday", "payday"), ("id", "id"),
    ])
    func namesWithoutMarksAreDividedAtKnownWords(name: String, words: String) {
        #expect(ColumnWords(name).text == " \(words) ")
    }

    @Test(arguments: [
        "Patient Name", "PatientID", "MRN", "patient_icn", "Member No", "DOB", "Birth Date", "SSN",
        "Last Name", "Name", "Home Address", "Driver", "Beneficiary", "Chief Complaint", "Notes",
        "LASTNAME", "PTNAME", "PTDOB", "PATNO", "Passenger", "Rider ID", "Client", "Resident",
        "Nombre del Paciente", "Fecha de Nacimiento", "Dirección",
    ])
    func columnsOfPatientsArePersonal(name: String) {
        #expect(ColumnWords(name).isPersonal)
    }

    @Test(arguments: [
        "Vendor Name", "Facility Name", "Claim Number", "Claim ICN", "Pickup", "VISN",
        "Service Level",
        "PUTIME", "STATIONNAME", "Condado", "Unit", "Amount Paid", "Loaded Miles", "Vehicle Owner",
        "Provider NPI", "Column 3",
    ])
    func columnsOfTripsAreNot(name: String) {
        #expect(!ColumnWords(name).isPersonal)
    }

    @Test(arguments: [
        ("Patient ICN", true), ("Member ID", true), ("MRN", true), ("Patient Name", false),
        ("Claim ICN", false), ("Trip ID", false),
    ])
    func onlyAnIdentifierOfThePatientIsOne(name: String, isOne: Bool) {
        #expect(ColumnWords(name).isPatientNumber == isOne)
    }

    @Test(arguments: [
        ("Pick-up Date", "pick_up_date"), ("2nd Unit", "column_2nd_unit"), ("Größe", "gr_e"),
        ("--", "column_"), ("Class", "class"),
    ])
    func aNameBecomesAWordOfThePipeline(name: String, word: String) {
        #expect(ColumnWords(name).fieldName == word)
    }
}
