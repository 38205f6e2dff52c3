import TripMart

/// Why the server cannot begin to serve.
public struct BackendFault: Error, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String
    /// What the program ends with: 73 where something cannot be written, 74 where the system fails to read, 75 where another one is at it,
    /// 78 where what there is cannot be used.
    public let status: Int32

    init(_ error: MartError) {
        description = "\(error)"
        status =
            switch error.code {
            case .diskFull, .cannotCreate: 73
            case .damaged, .ioFailed, .numberTaken, .sealBroken: 74
            case .locked: 75
            default: 78
            }
    }
}
