/// The words of a column's name: what it probably holds, and whether it may name a patient.
struct ColumnWords: Sendable {
    /// The words in lower case, with a blank before, between and after them.
    let text: String

    /// Divides a name at marks, at capitals after small letters, and between known words:
    /// `PickupDate` and `PUDATE` are two words each.
    init(_ name: String) {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for letter in name {
            let isPart = letter.isLetter || letter.isNumber || letter == "#"
            if !isPart || letter.isUppercase && wasSmall {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isPart { word += letter.lowercased() }
            wasSmall = letter.isLowercase
        }
        if !word.isEmpty { words.append(word) }
        text = " " + words.flatMap(Self.parts).joined(separator: " ") + " "
    }

    /// Whether a word, or words that follow each other, stand in the name.
    func has(_ phrase: String) -> Bool { text.contains(" \(phrase) ") }

    /// Whether any of some phrases stands in the name.
    func hasAny(_ phrases: [String]) -> Bool { phrases.contains(where: has) }

    /// The greatest score of the phrases that stand in the name; 0 where none does.
    func score(_ phrases: [(phrase: String, score: Int)]) -> Int {
        phrases.filter { has($0.phrase) }.map(\.score).max() ?? 0
    }

    // MARK: - Patients

    /// Words of identifiers that only patients have.
    private static let patientNumbers = [
        "mrn", "ssn", "mbi", "hicn", "hic", "edipi", "dfn", "medical record",
        "social security", "scrssn", "medicare number", "medicaid id",
    ]
    /// Words for the patient, beside a word of a number.
    private static let patients = [
        "patient", "pt", "pat", "member", "beneficiary", "bene", "subscriber", "insured",
        "veteran", "passenger", "rider", "paciente", "pasajero",
    ]
    private static let numbers = [
        "id", "no", "nr", "num", "nbr", "number", "key", "#", "ref", "identifier",
    ]
    /// Words of columns that say something of a person, or hold free text that may.
    private static let persons = [
        "dob", "birth", "birthdate", "born", "death", "surname", "lname", "fname", "guarantor",
        "kin", "caller", "address", "addr", "street", "phone", "telephone", "email", "zip",
        "postal", "latitude", "longitude", "lat", "lon", "long", "gender", "sex", "age", "race",
        "ethnicity", "diagnosis", "dx", "complaint", "impression", "narrative", "notes", "note",
        "comment", "comments", "remark", "remarks", "signature", "driver", "attendant", "medic",
        "paramedic", "emt", "dispatcher", "first name", "last name", "full name", "middle name",
        "client", "customer", "consumer", "resident", "participant", "recipient", "enrollee",
        "claimant", "contact", "responsible party",
        // In Spanish.
        "nombre", "nombres", "apellido", "apellidos", "nacimiento", "dirección", "direccion",
        "domicilio", "teléfono", "telefono", "correo", "edad", "sexo", "cliente",
    ]
    /// Words of what has a name and is no person.
    private static let things = [
        "vendor", "provider", "facility", "station", "unit", "agency", "company", "contractor",
        "hospital", "region", "county", "site", "payer", "payor", "base", "vehicle", "service",
        "level", "type", "file", "plan", "carrier", "employer", "owner", "city", "state",
        "district", "network", "visn", "zone", "organization", "column", "destination", "origin",
        "department", "division", "fleet", "supplier",
    ]

    /// Whether the column holds an identifier of the patient.
    var isPatientNumber: Bool {
        // A claim has an internal control number too.
        hasAny(Self.patientNumbers) || has("icn") && !has("claim")
            || hasAny(Self.patients) && hasAny(Self.numbers)
    }

    /// Whether the name says of what the column speaks, and it is no person.
    var isOfThings: Bool { hasAny(Self.things) }

    /// Whether a cell of the column may name a patient, or say something of one.
    var isPersonal: Bool {
        isPatientNumber || hasAny(Self.patients) || hasAny(Self.persons)
            || hasAny(["name", "names", "nm"]) && !isOfThings
    }

    /// Whether the column holds modifiers of a service code.
    var isModifier: Bool { hasAny(["modifier", "modifiers", "mod", "mods", "mdfr"]) }

    // MARK: - Words of fields

    /// The name as a word of a pipeline: lower-case letters, digits and `_`.
    var fieldName: String {
        let parts = text.split { letter in
            !("a"..."z").contains(letter) && !("0"..."9").contains(letter)
        }
        let word = parts.joined(separator: "_")
        let isWord = word.first.map { $0.isLetter } ?? false
        return String((isWord ? word : "column_" + word).prefix(40))
    }
}
