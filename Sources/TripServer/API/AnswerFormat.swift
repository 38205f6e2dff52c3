import Hummingbird

/// What an answer is written in.
enum AnswerFormat: String {
    case json
    /// Rows of one kind under a header, so that no number is counted twice where they are added up.
    case csv

    /// The one that the sender of a request prefers.
    init(_ request: Request) { self = request.prefersCSV ? .csv : .json }

    /// What its bytes are (RFC 4180).
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }
}
