internal import Foundation

/// Addresses of the page *Listen*: `/listen`, `/view` with the recording's 360-degree video, and `/phone` for a phone that turns the head
/// of a listener.
enum ListenPage {
    private static let wishes = ["recording", "yaw", "head", "listener"]

    /// The page's service worker, which opens it without the engine, also at `/listen`.
    static let worker = "/panel/listen-worker.js"

    /// Lets the worker work for addresses outside of its own folder.
    static func admitted(_ response: Response) -> Response {
        var response = response
        response.headers.append(("service-worker-allowed:", "/"))
        return response
    }

    /// Redirects to the page itself, with the query of the request. Browsers add the part after `#`, with a token or a code.
    static func answer(_ request: Request) -> Response {
        var query = "shelf=\(PackageFiles.prefix)"
        var isChosen = false
        for name in wishes {
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
