import Hummingbird

/// An answer whose bytes stay the same while the program runs: made and compressed once.
struct FixedAnswer {
    private let answer: Answer
    private let plain: AnswerBody
    private let gzip: AnswerBody

    /// - Parameters:
    ///   - bytes: What it says.
    ///   - mediaType: What that is.
    init(_ bytes: [UInt8], mediaType: String) {
        answer = Answer(EntityTag(content: bytes), mediaType: mediaType)
        plain = AnswerBody(bytes, isCompressed: false)
        gzip = AnswerBody(bytes, isCompressed: true)
    }

    /// The answer as the client takes it.
    ///
    /// - Parameter request: The request, whose client may have the bytes already.
    /// - Returns: The answer; 304 where the bytes are known.
    func response(to request: Request) -> Response {
        answer.unchanged(request)
            ?? answer.response(GzipText.isWelcome(to: request) ? gzip : plain)
    }
}
