import NIOCore
import NIOSSL
import Synchronization
import TripMart

/// The server's certificate and its private key, as they lie in their files now.
///
/// Connections are opened with what was read last; those that are open keep what they were opened with.
final class Certificate: Sendable {
    private let paths: CertificatePaths
    private let state: Mutex<State>

    private struct State {
        var context: NIOSSLContext
        var marks: [FileMark?]
    }

    /// Reads the files.
    ///
    /// - Throws: ``CertificateFault`` that says which file is at fault, and how.
    init(_ paths: CertificatePaths) throws(CertificateFault) {
        self.paths = paths
        let marks = Self.marks(paths)
        let (context, end) = try Self.context(paths)
        self.end = end
        state = Mutex(State(context: context, marks: marks))
    }

    /// When the certificate is past its date, in seconds of UTC.
    let end: Int64

    /// What new connections are secured with.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files again where they changed; what was read before stays where they cannot be used.
    ///
    /// - Returns: Whether they changed.
    /// - Throws: ``CertificateFault``, once for each change.
    func reload() throws(CertificateFault) -> Bool {
        let marks = Self.marks(paths)
        guard state.withLock({ $0.marks }) != marks else { return false }
        state.withLock { $0.marks = marks }
        let (context, _) = try Self.context(paths)
        state.withLock { $0.context = context }
        return true
    }

    private static func marks(_ paths: CertificatePaths) -> [FileMark?] {
        [FileMark(paths.chain), FileMark(paths.key)]
    }

    private static func context(
        _ paths: CertificatePaths
    ) throws(CertificateFault) -> (NIOSSLContext, end: Int64) {
        guard let mark = FileMark(paths.key) else { throw .unreadableKey(paths.key) }
        guard !mark.isOpenToOthers else { throw .openKey(paths.key) }
        var chain: [NIOSSLCertificate] = []
        var key: NIOSSLPrivateKey
        do {
            chain = try NIOSSLCertificate.fromPEMFile(paths.chain)
        } catch {
            throw .unreadableChain(paths.chain)
        }
        do {
            key = try NIOSSLPrivateKey(file: paths.key, format: .pem)
        } catch {
            throw .unreadableKey(paths.key)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv13
        // How long a reader that says nothing may hold up the server's end.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // Those it was signed with may stand there more than once, some of them past their date.
            let end = chain.first.map { Int64($0.notValidAfter) } ?? 0
            return (try NIOSSLContext(configuration: configuration), end)
        } catch {
            throw .mismatch(paths.key)
        }
    }
}

/// Where a certificate and its key lie.
public struct CertificatePaths: Sendable {
    /// The certificate and those it was signed with, in PEM.
    public let chain: String
    /// The private key, in PEM; readable by its owner alone.
    public let key: String

    /// Names the files.
    public init(chain: String, key: String) {
        (self.chain, self.key) = (chain, key)
    }
}

/// What is wrong with a certificate or its key; the library's own words go nowhere.
public enum CertificateFault: Error, CustomStringConvertible {
    /// The certificate cannot be read as PEM.
    case unreadableChain(String)
    /// The key cannot be read as PEM.
    case unreadableKey(String)
    /// Others than its owner may read the key.
    case openKey(String)
    /// The key is not that of the certificate.
    case mismatch(String)

    /// One sentence with what to do.
    public var description: String {
        switch self {
        case .unreadableChain(let path):
            "\(path) cannot be read as a certificate in PEM. Name the file that holds the whole chain."
        case .unreadableKey(let path):
            "\(path) cannot be read as a private key in PEM without a pass phrase."
        case .openKey(let path):
            "\(path) may be read by others than its owner. Run: chmod 600 \(path)"
        case .mismatch(let path):
            "\(path) is not the key of the certificate."
        }
    }
}
