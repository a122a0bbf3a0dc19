internal import Trust

/// The pages below `/trust`: the certificate of this server's authority, and how to install it.
///
/// Also served without TLS, since a client that has not installed the certificate cannot use TLS yet.
struct TrustPages: WebFeature {
    private static let page = "/trust"
    private static let binary = "/trust/vestibule.crt"
    private static let text = "/trust/vestibule.pem"

    private let certificate: ServerCertificate?
    private let address: ServerAddress
    private let pages: StaticFiles

    /// - Parameters:
    ///   - certificate: nil when the server has no TLS.
    ///   - pages: the panel's files, which contain the template `pages/trust.html`.
    init(_ certificate: ServerCertificate?, address: ServerAddress, pages: StaticFiles) {
        self.certificate = certificate
        self.address = address
        self.pages = pages
    }

    var routes: [Route] {
        func route(_ path: String, _ summary: String) -> Route {
            var route = Route.get(RoutePath(path), .everybody, summary) { response($0.connection, $0.request) }
            route.isPlain = true
            return route
        }
        return [
            route(Self.page, "How a client learns to trust this server's [certificate](README.md#tls)."),
            route(Self.page + "/{file}", "The authority's certificate, as `vestibule.crt` (DER) and `vestibule.pem`."),
        ]
    }

    private func response(_ connection: Connection, _ request: Request) -> Response {
        guard let certificate else { return withoutTLS(request) }
        guard let authority = certificate.authority else {
            return .text(404, "this server uses its owner's own certificate; only its issuer can provide the authority's certificate")
        }
        switch request.path {
        case Self.page, Self.page + "/":
            let local = LocalAddress.reachable("0.0.0.0", by: connection)
            return page(authority, panel: address.secureOrigin(request.host, local: local) + "/")
        case Self.binary: return file("application/x-x509-ca-cert", "vestibule.crt", authority.der)
        case Self.text: return file("application/x-pem-file", "vestibule.pem", Array(authority.pem.utf8))
        default: return .text(404, "there is no such page; try \(Self.page), \(Self.binary) (DER) or \(Self.text)")
        }
    }

    /// The page of a server without TLS explains how to enable it.
    private func withoutTLS(_ request: Request) -> Response {
        guard [Self.page, Self.page + "/"].contains(request.path) else { return .text(404, "this server was started without --tls") }
        return pages.template("no-tls")?.response([:])
            ?? .text(200, "Browsers allow motion sensors and AudioWorklets on secure pages only: start this server with --tls.")
    }

    /// Without the panel's files, plain text with the same facts.
    private func page(_ authority: Authority, panel: String) -> Response {
        guard let template = pages.template("trust") else {
            return .text(
                200,
                """
                Certificate of this server's authority: \(Self.binary) (DER) or \(Self.text)
                Name: \(authority.name)
                SHA-256 fingerprint: \(authority.fingerprint)
                Install it as an authority, after comparing the fingerprint with the one in the server's terminal.
                """)
        }
        return template.response([
            "certificate": .text(Self.binary), "name": .text(authority.name), "fingerprint": .text(authority.fingerprint),
            "panel": .text(panel),
            "reach": .text(
                authority.isUnlimited
                    ? "any site" : "this computer, and devices at addresses of private networks, but no site of the internet"),
        ])
    }

    private func file(_ type: String, _ name: String, _ bytes: [UInt8]) -> Response {
        Response(
            status: 200,
            headers: [("content-type:", type), ("content-disposition:", "attachment; filename=\"\(name)\"")],
            body: .bytes(bytes))
    }
}
