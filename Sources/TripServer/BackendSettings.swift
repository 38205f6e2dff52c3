import TripMart

/// Where the server listens and what it reads.
public struct BackendSettings: Sendable {
    /// The mart's folder.
    public let martPath: String
    /// The mart's key file; nil serves no single trips.
    public let keyPath: String?
    /// Whether a missing key file is a fault; else the server opens it when a generation is
    /// published.
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
    /// How requested runs are carried out; nil where another process does.
    public let worker: WorkerSettings?
    /// How e-mail is sent; nil sends none.
    public let mail: MailSettings?
    /// The limits of one client address.
    public let perAddress: AddressLimits
    /// The address of a reverse proxy whose `X-Forwarded-For` names the client; nil trusts none.
    public let trustedProxy: String?
    /// How often it checks for a newer generation.
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
        trustedProxy: String? = nil,
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
        self.trustedProxy = trustedProxy
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

/// How e-mail is sent.
public struct MailSettings: Sendable {
    /// The program that takes a message on its standard input, and its arguments.
    public let command: [String]
    /// The sender's address.
    public let from: String

    /// Names both.
    public init(command: [String], from: String) {
        self.command = command
        self.from = from
    }
}

/// The limits of one client address: enough for a building behind it.
public struct AddressLimits: Sendable {
    /// Open connections; 0 is as many as there may be in all.
    public let connections: Int
    /// Tries to sign in within a minute; 0 is no limit.
    public let signIns: Int

    /// Whether a text is an address of IPv4 or IPv6.
    public static func isAddress(_ text: String) -> Bool { NetworkAddress(text) != nil }

    /// Names both.
    public init(connections: Int = 500, signIns: Int = 60) {
        self.connections = connections
        self.signIns = signIns
    }
}

/// Why the server cannot begin to serve.
public struct BackendFault: Error, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String
    /// The exit status: 65 where parts of the mart are missing, 73 where a file cannot be written,
    /// 74 where the system fails to read, 75 where another process has the mart, 78 where what
    /// there is cannot be used.
    public let status: Int32

    init(_ error: MartError) {
        description = "\(error)"
        status =
            switch error.code {
            case .incomplete: 65
            case .diskFull, .cannotCreate: 73
            case .damaged, .ioFailed, .notPermitted, .numberTaken, .sealBroken: 74
            case .locked: 75
            default: 78
            }
    }
}
