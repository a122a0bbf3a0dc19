internal import Foundation
package import Web

/// Addresses of the page *Listen*: `/listen`, `/view` with the recording's 360-degree video, and `/phone` for a phone that turns the head
/// of a listener.
package struct ListenPage: WebFeature {
    private static let wishes = ["recording", "yaw", "head", "listener"]

    package init() {}

    package var routes: [Route] {
        [
            .get("/listen", .everybody, "302 to the page *Listen*: `?recording=NAME&yaw=DEGREES`.") { answer($0.request) },
            .get("/phone", .everybody, "302 to the page that makes a phone a head tracker: `?listener=N`.") { answer($0.request) },
            .get("/view", .everybody, "302 to the page *Listen* with the recording's 360-degree video.") { answer($0.request) },
        ]
    }

    /// Redirects to the page itself, with the query of the request. Browsers add the part after `#`, with a token or a code.
    private func answer(_ request: Request) -> Response {
        var query = "shelf=/recordings/"
        var isChosen = false
        for name in Self.wishes {
            guard let value = request.query(name),
                let safe = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            else { continue }
            // The phone's page turns the head of the listener that it names.
            let isHead = name == "head" || name == "listener"
            query += "&\(isHead ? "head" : name)=\(safe)"
            isChosen = isChosen || isHead
        }
        if request.path == "/phone", !isChosen { query += "&head=1" }
        if request.path == "/view" { query += "&view=1" }
        var response = Response.empty(302)
        response.headers = [("location:", "/panel/listen.html?\(query)")]
        return response
    }
}
