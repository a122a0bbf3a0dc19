internal import Web

/// The outcomes of the latest resumable uploads that have ended, for clients whose connection was lost before the answer.
struct EndedUploads {
    enum Outcome {
        /// The file is stored: its length in bytes.
        case stored(length: Int)
        case refused(status: Int, reason: String)
    }

    private static let most = 256

    /// The oldest one is first.
    private var outcomes: [(id: String, outcome: Outcome)] = []

    mutating func note(_ id: String, _ outcome: Outcome) { outcomes = outcomes.suffix(Self.most - 1) + [(id, outcome)] }

    /// The answer to a client that asks for the offset of an upload that has ended, or sends an empty part at its end; nil for an unknown
    /// upload, and for other requests.
    /// - Parameter offset: the place of the part, as the client wrote it.
    func answer(_ id: String, _ method: Request.Method, offset: String?) -> Response? {
        guard [.head, .get, .patch].contains(method), let known = outcomes.last(where: { $0.id == id }) else { return nil }
        switch known.outcome {
        case .stored(let length) where method == .patch:
            guard offset.flatMap(RequestForm.number) == length else { return nil }
            var response = Response.empty(204)
            response.headers = [("upload-offset:", "\(length)")]
            return response
        case .stored(let length):
            var response = Response.empty(200)
            response.headers = [("upload-offset:", "\(length)"), ("upload-length:", "\(length)"), ("cache-control:", "no-store")]
            return response
        case .refused(let status, let reason): return .text(status, reason)
        }
    }
}
