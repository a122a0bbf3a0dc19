internal import CWebSockets
internal import Foundation
internal import Trust

/// TLS and plain HTTP on one port: the first byte of a connection tells which it is.
extension WebServer {
    /// Fills in what libwebsockets has to know of the certificate while `body` makes the context.
    func withCertificate(
        _ info: inout lws_context_creation_info, _ body: (inout lws_context_creation_info) -> OpaquePointer?
    ) -> OpaquePointer? {
        guard let certificate = options.certificate else { return body(&info) }
        info.options |= lws_tls_beside_plain
        return certificate.certificate.withCString { file in
            certificate.key.withCString { key in
                // HTTP/2 has WebSockets of its own kind, which this library (4.1) opens without a window.
                "http/1.1".withCString { protocols in
                    info.ssl_cert_filepath = file
                    info.ssl_private_key_filepath = key
                    info.alpn = protocols
                    return body(&info)
                }
            }
        }
    }

    func isSecure(_ wsi: OpaquePointer) -> Bool { lws_is_ssl(wsi) != 0 }

    /// Where a request without TLS is sent when there is TLS; nil when it is answered where it is.
    /// - Parameter local: the address of this machine that the connection came to.
    func detour(_ wsi: OpaquePointer, _ request: Request, local: String) -> Response? {
        guard options.certificate != nil, !isSecure(wsi) else { return nil }
        let isPlain = (request.method == .get || request.method == .head) && request.header(WSI_TOKEN_UPGRADE) == nil
        if isPlain, TrustPage.holds(request.path) { return nil }
        let origin = secureOrigin(request.header(WSI_TOKEN_HOST), local: local)
        guard isPlain else { return .text(403, "only with TLS, at \(origin)") }
        let path = request.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
        let query = request.query?.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed).map { "?\($0)" } ?? ""
        var response = Response.text(308, "with TLS, at \(origin)")
        response.headers.append(("location:", origin + path + query))
        return response
    }

    /// The beginning of this server's TLS addresses, under the name that was asked for.
    /// - Parameter host: a Host header that has been let in.
    private func secureOrigin(_ host: String?, local: String) -> String {
        let name = host.map { host in
            host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : HostNames.name(host)
        }
        return "https://\(name ?? (local.contains(":") ? "[\(local)]" : local)):\(host.flatMap(HostNames.port) ?? port)"
    }

    func trustPage(_ wsi: OpaquePointer, _ request: Request) -> Response {
        guard let certificate = options.certificate else { return .text(404, "this server was started without --tls") }
        guard let authority = certificate.authority else {
            return .text(404, "this server has a certificate of its owner's, from an authority that is not known here")
        }
        let local = LocalAddress.reachable("0.0.0.0", by: wsi)
        let page = TrustPage(authority: authority, panel: secureOrigin(request.header(WSI_TOKEN_HOST), local: local) + "/")
        return page.answer(request.path)
    }
}
