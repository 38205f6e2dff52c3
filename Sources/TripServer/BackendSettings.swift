/// Where the server listens and what it reads.
public struct BackendSettings: Sendable {
    /// The mart's folder.
    public let martPath: String
    /// The mart's key file; nil serves no single trips.
    public let keyPath: String?
    /// Whether a key file that is missing is a fault; else it is looked for when something is published.
    public let requiresKey: Bool
    /// The address it listens at.
    public let host: String
    /// The port; 0 lets the system choose.
    public let port: Int
    /// What connections are secured with; nil serves plain HTTP.
    public let certificate: CertificatePaths?
    /// Whether generated trips are served and no others.
    public let servesGeneratedTripsOnly: Bool
    /// Whether every request is logged, by its route.
    public let logsRequests: Bool
    /// How often it looks for a newer generation.
    public let watchInterval: Duration

    /// Names a mart and an address.
    public init(
        martPath: String,
        keyPath: String? = nil,
        requiresKey: Bool = false,
        host: String = "127.0.0.1",
        port: Int = 8080,
        certificate: CertificatePaths? = nil,
        servesGeneratedTripsOnly: Bool = false,
        logsRequests: Bool = false,
        watchInterval: Duration = .milliseconds(250)
    ) {
        self.martPath = martPath
        self.keyPath = keyPath
        self.requiresKey = requiresKey
        self.host = host
        self.port = port
        self.certificate = certificate
        self.servesGeneratedTripsOnly = servesGeneratedTripsOnly
        self.logsRequests = logsRequests
        self.watchInterval = watchInterval
    }
}
