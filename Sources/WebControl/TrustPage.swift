internal import Trust

/// What a device needs to believe this server: its authority's certificate, and how to install it.
///
/// Served without TLS as well, since who has not installed it cannot come by TLS yet.
struct TrustPage {
    let authority: Authority
    /// The panel's address, with TLS.
    let panel: String

    private static let path = "/trust"
    private static let binary = "/trust/vestibule.crt"
    private static let text = "/trust/vestibule.pem"

    static func holds(_ path: String) -> Bool { path == Self.path || path.hasPrefix(Self.path + "/") }

    func answer(_ path: String) -> Response {
        switch path {
        case Self.path, Self.path + "/":
            Response(status: 200, headers: [("content-type:", "text/html; charset=utf-8")], body: .bytes(Array(page.utf8)))
        case Self.binary: file("application/x-x509-ca-cert", "vestibule.crt", authority.der)
        case Self.text: file("application/x-pem-file", "vestibule.pem", Array(authority.pem.utf8))
        default: .text(404, "there are \(Self.path), \(Self.binary) (DER) and \(Self.text)")
        }
    }

    private func file(_ type: String, _ name: String, _ bytes: [UInt8]) -> Response {
        Response(
            status: 200,
            headers: [("content-type:", type), ("content-disposition:", "attachment; filename=\"\(name)\"")],
            body: .bytes(bytes))
    }

    /// The words of each system's own menus.
    private static let platforms = [
        (
            "iPhone and iPad",
            [
                "Open this page in Safari and load the certificate; allow the profile to be loaded.",
                "Settings → General → VPN &amp; Device Management → the profile → Install.",
                "Settings → General → About → Certificate Trust Settings → switch it on. Without this step nothing works.",
            ]
        ),
        (
            "Android",
            [
                "Load the certificate.",
                "Settings → Security &amp; privacy → More security settings → Encryption &amp; credentials → Install a certificate "
                    + "→ CA certificate → the file. (Search the settings for “CA certificate” if they are arranged differently.)",
            ]
        ),
        (
            "macOS",
            ["Load the certificate and open it: Keychain Access adds it.", "Double-click it there → Trust → Always Trust."]
        ),
        (
            "Windows",
            [
                "Load the certificate and open it → Install Certificate → Current User → Place all certificates in the "
                    + "following store → Trusted Root Certification Authorities."
            ]
        ),
        (
            "Linux",
            [
                "Chromium: Settings → Privacy and security → Security → Manage certificates → Custom → Installed by you → Import.",
                "Programs: <code>curl --cacert vestibule.pem …</code>, or copy <code>vestibule.pem</code> to "
                    + "<code>/usr/local/share/ca-certificates/vestibule.crt</code> and say <code>sudo update-ca-certificates</code>.",
            ]
        ),
        (
            "Firefox, on every system",
            ["Settings → Privacy &amp; Security → View Certificates → Authorities → Import → trust it for websites."]
        ),
    ]

    private var page: String {
        let steps = Self.platforms.map { name, lines in
            "<details><summary>\(name)</summary><ol>\(lines.map { "<li>\($0)</li>" }.joined())</ol></details>"
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Trust this Vestibule</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
            <style>body{font:1.0625rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:40rem;padding:0 1.25rem}
            h1{font-size:1.5rem}code{overflow-wrap:anywhere}summary,a{min-height:2.75rem;line-height:2.75rem;font-weight:600}
            a{display:inline-block}summary{cursor:pointer}li{margin:.25rem 0}</style></head>
            <body><h1>Trust this Vestibule</h1>
            <p>Phones give motion sensors to pages that came by TLS only, and TLS needs somebody to vouch for this machine.
            Here that is an authority of its own, made on it, whose key never leaves it. Once for each device:</p>
            <ol><li><a href="\(Self.binary)" download="vestibule.crt">Load the certificate</a></li>
            <li>Install it as below. It is shown as <b>\(Self.escape(authority.name))</b>; its SHA-256 fingerprint is<br>
            <code>\(authority.fingerprint)</code><br>as the terminal says in which the program was started. If it differs, somebody stands in between: stop.</li>
            <li><a href="\(panel)">Open the panel</a>. No warning may appear.</li></ol>
            \(steps.joined(separator: "\n"))
            <p>To end it, remove the certificate in the same place. Whoever reads the file
            <code>authority.pem</code> of this machine's user can pass for any site on a device that trusts it.</p>
            </body></html>

            """
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
