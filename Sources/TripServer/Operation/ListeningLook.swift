import Glibc

/// A look at an address to listen at, by taking it for a moment; nothing listens at it meanwhile.
enum ListeningLook {
    /// Looks at an address.
    ///
    /// - Parameters:
    ///   - host: Its name or number.
    ///   - port: The port; 0 is any.
    /// - Returns: What was found.
    static func finding(_ host: String, _ port: Int) -> ServingCheck.Finding {
        let (text, isGood) = look(host, port)
        return ServingCheck.Finding("address", text, isGood: isGood)
    }

    private static func look(_ host: String, _ port: Int) -> (String, isGood: Bool) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list?.pointee else {
            return ("'\(host)' is no address, and no name that leads to one", false)
        }
        defer { freeaddrinfo(list) }
        let connection = socket(
            first.ai_family,
            first.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard connection >= 0 else {
            return ("this machine has no addresses like '\(host)'", false)
        }
        defer { close(connection) }
        // As the server itself takes it, also where it served a moment ago.
        var yes: Int32 = 1
        setsockopt(
            connection,
            SOL_SOCKET,
            SO_REUSEADDR,
            &yes,
            socklen_t(MemoryLayout<Int32>.size)
        )
        guard bind(connection, first.ai_addr, first.ai_addrlen) != 0 else {
            return ("can be listened at", true)
        }
        switch errno {
        // By the server itself, where the look is beside one that runs.
        case EADDRINUSE: return ("somebody listens at it", true)
        // Which the service may have that the look has not.
        case EACCES: return ("needs CAP_NET_BIND_SERVICE, which this process has not", true)
        default: return ("'\(host)' is no address of this machine", false)
        }
    }
}
