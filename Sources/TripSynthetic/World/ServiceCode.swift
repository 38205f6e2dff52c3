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
