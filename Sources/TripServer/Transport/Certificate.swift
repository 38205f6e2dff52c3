import Glibc
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization
import TripMart

/// The server's certificate and its private key, as they lie in their files now.
///
/// Connections are opened with what was read last; those that are open keep what they were opened
/// with.
final class Certificate: Sendable {
    private let paths: CertificatePaths
    private let state: Mutex<State>

    private struct State {
        var reading: Reading
        var marks: [FileMark?]
        /// When a certificate is read again that was put in place before its first date.
        var awaitedStart: Int64?
    }

    /// What the files hold.
    private struct Reading {
        let context: NIOSSLContext
        /// The first and the last second of the certificate, of UTC.
        let start: Int64
        let end: Int64
    }

    /// Reads the files.
    ///
    /// - Throws: ``CertificateFault`` that says which file is at fault, and how.
    init(_ paths: CertificatePaths) throws(CertificateFault) {
        self.paths = paths
        let marks = Self.marks(paths)
        let reading = try Self.read(paths)
        state = Mutex(State(reading: reading, marks: marks))
    }

    /// When the certificate in force is past its date, in seconds of UTC.
    var end: Int64 { state.withLock { $0.reading.end } }

    /// The context of new connections.
    var context: NIOSSLContext { state.withLock { $0.reading.context } }

    /// Reads the files again where they changed; what was read before stays where they cannot be
    /// used.
    ///
    /// - Parameter now: The time, in seconds of UTC. A certificate that begins later is taken up
    ///   then.
    /// - Returns: Whether they changed.
    /// - Throws: ``CertificateFault``, once for each change.
    func reload(now: Int64) throws(CertificateFault) -> Bool {
        let marks = Self.marks(paths)
        let isDue = state.withLock { state in
            guard state.marks != marks || state.awaitedStart.map({ $0 <= now }) ?? false else {
                return false
            }
            (state.marks, state.awaitedStart) = (marks, nil)
            return true
        }
        guard isDue else { return false }
        let reading = try Self.read(paths)
        guard now <= reading.end else { throw .past(paths.chain) }
        guard reading.start <= now else {
            state.withLock { $0.awaitedStart = reading.start }
            throw .early(paths.chain)
        }
        state.withLock { $0.reading = reading }
        return true
    }

    private static func marks(_ paths: CertificatePaths) -> [FileMark?] {
        [FileMark(paths.chain), FileMark(paths.key)]
    }

    private static func requireReadable(_ path: String) throws(CertificateFault) {
        guard access(path, R_OK) != 0 else { return }
        let number = errno
        guard number == ENOENT || number == ENOTDIR else { throw .closed(path, errno: number) }
        throw .missing(path)
    }

    private static func read(_ paths: CertificatePaths) throws(CertificateFault) -> Reading {
        for path in [paths.chain, paths.key] { try requireReadable(path) }
        guard let mark = FileMark(paths.key) else { throw .missing(paths.key) }
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
        // How long a silent client may hold up the server's stop.
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // The chain may hold a signer more than once, some of them past their date.
            return Reading(
                context: try NIOSSLContext(configuration: configuration),
                start: chain.first.map { Int64($0.notValidBefore) } ?? 0,
                end: chain.first.map { Int64($0.notValidAfter) } ?? 0
            )
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

/// Why a certificate or its key cannot be used; the library's own text is not logged.
public enum CertificateFault: Error, CustomStringConvertible {
    /// There is no such file.
    case missing(String)
    /// The file may not be read; the system's error number.
    case closed(String, errno: Int32)
    /// The certificate cannot be read as PEM.
    case unreadableChain(String)
    /// The key cannot be read as PEM.
    case unreadableKey(String)
    /// Others than its owner may read the key.
    case openKey(String)
    /// The key is not that of the certificate.
    case mismatch(String)
    /// The certificate is past its last date.
    case past(String)
    /// The certificate is before its first date.
    case early(String)

    /// One sentence with what to do.
    public var description: String {
        switch self {
        case .missing(let path):
            "there is no file \(path). Put it there, or name the one there is."
        case .closed(let path, let number):
            "\(path) may not be read by this account (error \(number)). See whose it is, and its folders: namei -l \(path)"
        case .unreadableChain(let path):
            "\(path) cannot be read as a certificate in PEM. Name the file that holds the whole chain."
        case .unreadableKey(let path):
            "\(path) cannot be read as a private key in PEM without a pass phrase."
        case .openKey(let path):
            "\(path) may be read by others than its owner. Run: chmod 600 \(path)"
        case .mismatch(let path):
            "\(path) is not the key of the certificate."
        case .past(let path):
            "\(path) is past its date. Put a renewed certificate in its place."
        case .early(let path):
            "\(path) is before its date. It is taken up when that has come; check the clock if it has."
        }
    }
}

/// Checks again and again whether the certificate was renewed, so that the server need not be
/// restarted.
struct CertificateWatch: Service {
    let certificate: Certificate
    let logger: Logger
    /// The time, in seconds of UTC.
    let now: @Sendable () -> Int64

    private static let interval = Duration.seconds(1)

    func run() async throws {
        if certificate.end < now() { logger.warning("the certificate is past its date") }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                check()
                // Cut short where the server stops, which the loop checks.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func check() {
        do {
            if try certificate.reload(now: now()) { logger.info("the certificate was renewed") }
        } catch {
            logger.error("the new certificate cannot be used; the one before stays: \(error)")
        }
    }
}
