/// One HCPCS code: what it means, and how the generator draws and prices it.
struct ServiceCode: Sendable {
    /// The code, such as `A0428`.
    let code: String
    /// The trip type it stands for.
    let tripType: String
    /// Whether it is an ambulance service at all.
    let isAmbulance: Bool
    /// Whether it is an emergency; nil where the code does not say.
    let isEmergency: Bool?
    /// What it is, in words.
    let description: String

    /// Share among in-house trips, in 1,024ths; 0 is never drawn.
    var inHouseWeight = 0
    /// Share among contracted trips, in 1,024ths.
    var contractedWeight = 0
    /// The price of a trip before miles, in cents, at a station of average prices.
    var priceCents = 0
    /// The price of a loaded mile, in cents.
    var mileCents = 0
    /// The fewest loaded miles, in hundredths.
    var milesLeast = 0
    /// The spread of loaded miles, in hundredths: the mean lies a quarter of it above the least.
    var milesSpread = 0
    /// Which origins and destinations occur.
    var journey = Journey.scheduled

    /// Groups of origin and destination modifiers.
    enum Journey: Int, Sendable {
        case scheduled, emergency, transfer
    }
}
