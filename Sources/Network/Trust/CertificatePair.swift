internal import CCertificate
internal import Glibc

/// A certificate and its private key, both as PEM text.
struct CertificatePair {
    let certificate: String
    let key: String

    /// Both as the contents of one file, so that they can only be replaced together.
    var text: String { key + certificate }

    init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads the contents of ``text``.
    init(_ text: String) { self.init(certificate: text, key: text) }

    /// Reason why the pair cannot be used; nil when it can.
    var problem: String? {
        var reason = [CChar](repeating: 0, count: Int(CERTIFICATE_REASON_SIZE))
        return certificate_check_pair(certificate, key, &reason) == 0 ? nil : Self.string(reason)
    }

    var secondsLeft: Int64 { certificate_seconds_left(certificate) }

    func names(_ name: String) -> Bool { certificate_names(certificate, name) == 1 }

    func isSigned(by authority: CertificatePair) -> Bool { certificate_is_signed_by(certificate, authority.certificate) == 0 }

    /// Networks that exist in many places: private and shared ones, loopback and link-local, with their masks.
    private static let privateNetworks = [
        "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "100.64.0.0/255.192.0.0", "169.254.0.0/255.255.0.0",
        "127.0.0.0/255.0.0.0", "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::/fe00::", "fe80::/ffc0::",
    ]

    /// An authority that may sign for private networks, `localhost`, and the given names and addresses; of a public IPv6 address for its
    /// network of 64 bits, in which a machine changes its address often.
    ///
    /// - Parameters:
    ///   - name: shown in lists of authorities, at most 64 bytes.
    ///   - names: names and numeric addresses.
    static func authority(_ name: String, names: [String], days: Int32) throws(TrustError) -> CertificatePair {
        let addresses = names.filter { isAddress($0) && $0 != "::1" }.map(range)
        let hosts = ["localhost"] + names.filter { !isAddress($0) && $0 != "localhost" }
        let parts = hosts.map { "DNS:\($0)" } + (privateNetworks + addresses).map { "IP:\($0)" }
        let permitted = "critical," + parts.map { "permitted;\($0)" }.joined(separator: ",")
        return try make { certificate, key, reason in certificate_make_authority(name, permitted, days, certificate, key, reason) }
    }

    /// An IPv4 address alone, or the network of an IPv6 address, with its mask.
    private static func range(_ address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address + "/255.255.255.255" }
        let parts = withUnsafeBytes(of: bytes) { bytes in
            (0..<4).map { (part: Int) -> String in
                let (high, low) = (UInt16(bytes[2 * part]), UInt16(bytes[2 * part + 1]))
                return String(high << 8 | low, radix: 16)
            }
        }
        return parts.joined(separator: ":") + "::/ffff:ffff:ffff:ffff::"
    }

    /// Whether this authority may sign for a name or a numeric address.
    func permits(_ name: String) -> Bool { certificate_permits(certificate, name) == 1 }

    /// Whether this authority may sign for all hosts.
    var isUnlimited: Bool { certificate_permits(certificate, nil) == 1 }

    /// - Parameter names: names and numeric addresses.
    func leaf(_ names: [String], days: Int32) throws(TrustError) -> CertificatePair {
        let list = names.map { Self.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
        let name = String((names.first ?? "localhost").prefix(64))
        return try Self.make { made, madeKey, reason in
            certificate_make_leaf(certificate, key, name, list, days, made, madeKey, reason)
        }
    }

    /// The common name of its subject.
    var commonName: String {
        var name = [CChar](repeating: 0, count: 256)
        certificate_common_name(certificate, &name, Int32(name.count))
        return Self.string(name)
    }

    /// The certificate alone, as DER; empty when it cannot be read.
    var der: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(CERTIFICATE_PEM_SIZE))
        let count = certificate_der(certificate, &bytes, Int32(bytes.count))
        return count > 0 ? Array(bytes[..<Int(count)]) : []
    }

    /// The part of ``certificate`` without the key.
    var certificateOnly: String {
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----\n")
        guard let from = certificate.firstRange(of: begin), let to = certificate.firstRange(of: end) else { return "" }
        return String(certificate[from.lowerBound..<to.upperBound])
    }

    private static func isAddress(_ name: String) -> Bool {
        name.contains(":") || name.split(separator: ".").count == 4 && name.split(separator: ".").allSatisfy { UInt8($0) != nil }
    }

    private static func make(
        _ body: (UnsafeMutablePointer<CChar>, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<CChar>) -> Int32
    ) throws(TrustError) -> CertificatePair {
        var certificate = [CChar](repeating: 0, count: Int(CERTIFICATE_PEM_SIZE))
        var key = certificate
        var reason = [CChar](repeating: 0, count: Int(CERTIFICATE_REASON_SIZE))
        guard body(&certificate, &key, &reason) == 0 else { throw .notMade(string(reason)) }
        return CertificatePair(certificate: string(certificate), key: string(key))
    }

    private static func string(_ reason: [CChar]) -> String {
        String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
