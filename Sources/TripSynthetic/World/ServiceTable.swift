/// The codes of the field, and the trip types they are counted under.
enum ServiceTable {
    /// The trip types and their labels, in the order of lists.
    static let tripTypes: [(type: String, label: String)] = [
        ("BLS", "Basic life support"),
        ("BLS-E", "Basic life support, emergency"),
        ("ALS1", "Advanced life support 1"),
        ("ALS1-E", "Advanced life support 1, emergency"),
        ("ALS2", "Advanced life support 2"),
        ("SCT", "Specialty care transport"),
        ("PI", "Paramedic intercept"),
        ("FW", "Air, fixed wing"),
        ("RW", "Air, rotary wing"),
        ("WCV", "Wheelchair van"),
        ("OTHER", "Other"),
    ]

    /// All codes, drawn ones first; prices follow the relative values of 42 CFR 414.610 (BLS 1.00,
    /// BLS-E 1.60, ALS1 1.20, ALS1-E 1.90, ALS2 2.75, SCT 3.25, PI 1.75); the others are plausible
    /// guesses.
    static let codes: [ServiceCode] = drawnGround + drawnOther + undrawn

    /// The index of a code in the table.
    static func index(of code: String) -> Int {
        guard let index = codes.firstIndex(where: { $0.code == code }) else {
            preconditionFailure("the table holds every code the generator names")
        }
        return index
    }

    private static func ground(
        _ code: String,
        _ type: String,
        emergency: Bool,
        _ description: String,
        weights: (Int, Int),
        value: Int,
        milesSpread: Int
    ) -> ServiceCode {
        var service = ServiceCode(
            code: code,
            tripType: type,
            isAmbulance: true,
            isEmergency: emergency,
            description: description
        )
        (service.inHouseWeight, service.contractedWeight) = weights
        // 265 dollars for the relative value 1.00, given in hundredths.
        service.priceCents = 265 * value
        service.mileCents = 890
        service.milesLeast = 60
        service.milesSpread = milesSpread
        service.journey = type == "SCT" ? .transfer : emergency ? .emergency : .scheduled
        return service
    }

    private static func other(
        _ code: String,
        _ type: String,
        ambulance: Bool,
        _ description: String,
        weights: (Int, Int),
        price: (cents: Int, mileCents: Int),
        miles: (Int, Int),
        journey: ServiceCode.Journey
    ) -> ServiceCode {
        var service = ServiceCode(
            code: code,
            tripType: type,
            isAmbulance: ambulance,
            isEmergency: ambulance ? nil : false,
            description: description
        )
        (service.inHouseWeight, service.contractedWeight) = weights
        (service.priceCents, service.mileCents) = price
        (service.milesLeast, service.milesSpread) = miles
        service.journey = journey
        return service
    }

    private static let drawnGround: [ServiceCode] = [
        ground(
            "A0428",
            "BLS",
            emergency: false,
            "BLS, non-emergency",
            weights: (448, 340),
            value: 100,
            milesSpread: 4200
        ),
        ground(
            "A0429",
            "BLS-E",
            emergency: true,
            "BLS, emergency",
            weights: (62, 152),
            value: 160,
            milesSpread: 3000
        ),
        ground(
            "A0426",
            "ALS1",
            emergency: false,
            "ALS level 1, non-emergency",
            weights: (72, 96),
            value: 120,
            milesSpread: 4600
        ),
        ground(
            "A0427",
            "ALS1-E",
            emergency: true,
            "ALS level 1, emergency",
            weights: (62, 196),
            value: 190,
            milesSpread: 3200
        ),
        ground(
            "A0433",
            "ALS2",
            emergency: true,
            "ALS level 2",
            weights: (8, 26),
            value: 275,
            milesSpread: 3400
        ),
        ground(
            "A0434",
            "SCT",
            emergency: false,
            "Specialty care transport between facilities",
            weights: (12, 40),
            value: 325,
            milesSpread: 16_000
        ),
        ground(
            "A0432",
            "PI",
            emergency: true,
            "Paramedic intercept, rural, volunteer transport",
            weights: (1, 8),
            value: 175,
            milesSpread: 5200
        ),
    ]

    private static let drawnOther: [ServiceCode] = [
        other(
            "A0430",
            "FW",
            ambulance: true,
            "Fixed wing air, one way",
            weights: (0, 5),
            price: (912_000, 1480),
            miles: (6_000, 70_000),
            journey: .transfer
        ),
        other(
            "A0431",
            "RW",
            ambulance: true,
            "Rotary wing air, one way",
            weights: (0, 9),
            price: (1_064_000, 4210),
            miles: (1_200, 16_000),
            journey: .transfer
        ),
        other(
            "A0130",
            "WCV",
            ambulance: false,
            "Wheelchair van, non-emergency",
            weights: (310, 114),
            price: (5_150, 345),
            miles: (40, 5_200),
            journey: .scheduled
        ),
        other(
            "A0120",
            "OTHER",
            ambulance: false,
            "Mini-bus, non-emergency",
            weights: (34, 8),
            price: (2_400, 180),
            miles: (40, 6_000),
            journey: .scheduled
        ),
        other(
            "A0100",
            "OTHER",
            ambulance: false,
            "Taxi, non-emergency",
            weights: (3, 18),
            price: (1_850, 260),
            miles: (40, 2_600),
            journey: .scheduled
        ),
        other(
            "A0999",
            "OTHER",
            ambulance: true,
            "Unlisted ambulance service",
            weights: (12, 12),
            price: (19_500, 700),
            miles: (40, 5_000),
            journey: .scheduled
        ),
        other(
            "A0998",
            "OTHER",
            ambulance: true,
            "Response and treatment, no transport",
            weights: (0, 0),
            price: (12_500, 0),
            miles: (0, 0),
            journey: .emergency
        ),
    ]

    private static let undrawn: [ServiceCode] = [
        listed("A0225", true, true, "Neonatal transport, emergency"),
        listed("A0021", true, nil, "Outside state, per mile (Medicaid)"),
        listed("A0080", false, false, "Volunteer vehicle, per mile"),
        listed("A0090", false, false, "Individual's vehicle, per mile"),
        listed("A0110", false, false, "Bus, non-emergency"),
        listed("A0140", false, false, "Air travel, non-emergency"),
        listed("A0382", true, nil, "BLS routine disposable supplies"),
        listed("A0394", true, nil, "ALS specialized supplies, IV therapy"),
        listed("A0398", true, nil, "ALS routine disposable supplies"),
        listed("A0420", true, nil, "Waiting time"),
        listed("A0422", true, nil, "Oxygen and oxygen supplies"),
        listed("A0424", true, nil, "Extra ambulance attendant"),
        listed("A0425", true, nil, "Ground mileage, per statute mile"),
        listed("A0435", true, nil, "Fixed wing mileage, per statute mile"),
        listed("A0436", true, nil, "Rotary wing mileage, per statute mile"),
        listed("A0888", true, nil, "Noncovered mileage beyond the closest facility"),
        listed("S0209", false, false, "Wheelchair van mileage, per mile"),
        listed("S0215", false, false, "Non-emergency mileage, per mile"),
        listed("T2002", false, false, "Non-emergency transport, per diem"),
        listed("T2003", false, false, "Non-emergency transport, encounter"),
        listed("T2005", false, false, "Stretcher van"),
    ]

    private static func listed(
        _ code: String,
        _ isAmbulance: Bool,
        _ isEmergency: Bool?,
        _ description: String
    ) -> ServiceCode {
        ServiceCode(
            code: code,
            tripType: "OTHER",
            isAmbulance: isAmbulance,
            isEmergency: isEmergency,
            description: description
        )
    }
}

/// One HCPCS code: its meaning, and how the generator draws and prices it.
struct ServiceCode: Sendable {
    /// The code, such as `A0428`.
    let code: String
    /// The trip type of its trips.
    let tripType: String
    /// Whether it is an ambulance service.
    let isAmbulance: Bool
    /// Whether it is an emergency; nil where the code covers both.
    let isEmergency: Bool?
    /// The description of the service.
    let description: String

    /// Share among in-house trips, in 1,024ths; 0 is never drawn.
    var inHouseWeight = 0
    /// Share among contracted trips, in 1,024ths.
    var contractedWeight = 0
    /// The price of a trip before miles, in cents, at a station of average prices.
    var priceCents = 0
    /// The price of a loaded mile, in cents.
    var mileCents = 0
    /// The least loaded miles, in hundredths.
    var milesLeast = 0
    /// The spread of loaded miles, in hundredths: the mean is the least plus a quarter of it.
    var milesSpread = 0
    /// The group of its origins and destinations.
    var journey = Journey.scheduled

    /// Groups of origin and destination modifiers.
    enum Journey: Int, Sendable {
        case scheduled, emergency, transfer
    }
}
