package import Web

/// The page and the WebSocket of a listening test's participants, and the tables of results for those who run it.
package struct ParticipantRoutes: WebFeature {
    private let service: ParticipantService
    private let results: String?

    /// - Parameter results: folder of the results; nil serves none.
    package init(service: ParticipantService, results: String?) { (self.service, self.results) = (service, results) }

    package var routes: [Route] {
        [
            .page("/listening-test", "listening-test.html", "The page of a listening test's participant."),
            .socket("/listening-test", .view, "What a participant may see, and the answers.") {
                ParticipantClient(service, wake: $0.wake)
            },
            // The tables name the conditions, which participants must not see.
            .get("/results/{file}", .control, "The results of a listening test that has ended.") { exchange in
                guard !service.isBlind() else { return .text(403, "results can be read when the listening test has ended") }
                let missing = "there is no such result"
                return results.map { .download(exchange.rest, in: $0, exchange.request, missing: missing) } ?? .text(404, missing)
            },
        ]
    }
}
