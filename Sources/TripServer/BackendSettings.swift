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
    /// What carries out the runs that are asked for; nil where something else does.
    public let worker: WorkerSettings?
    /// What letters are sent with; nil sends none.
    public let mail: MailSettings?
    /// What one address may have of it.
    public let perAddress: AddressLimits
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
        worker: WorkerSettings? = nil,
        mail: MailSettings? = nil,
        perAddress: AddressLimits = AddressLimits(),
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
        self.worker = worker
        self.mail = mail
        self.perAddress = perAddress
        self.watchInterval = watchInterval
    }
}

/// What runs are carried out with.
public struct WorkerSettings: Sendable {
    /// The pipeline folder, or a pipeline file.
    public let pipelinePath: String
    /// The folder of the reference files.
    public let referencePath: String

    /// Names both.
    public init(pipelinePath: String, referencePath: String) {
        self.pipelinePath = pipelinePath
        self.referencePath = referencePath
    }
}

/// What letters are sent with.
public struct MailSettings: Sendable {
    /// The program that takes a letter on its standard input, and its arguments.
    public let command: [String]
    /// Whom letters are from.
    public let from: String

    /// Names both.
    public init(command: [String], from: String) {
        self.command = command
        self.from = from
    }
}

/// What one address may have of the server: enough for a building behind it.
public struct AddressLimits: Sendable {
    /// Open connections; 0 is as many as there may be in all.
    public let connections: Int
    /// Tries to sign in within a minute; 0 is as many as there are.
    public let signIns: Int

    /// Names both.
    public init(connections: Int = 500, signIns: Int = 60) {
        self.connections = connections
        self.signIns = signIns
    }
}
