internal import CCertificate

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

    /// - Parameter name: shown in lists of authorities, at most 64 bytes.
    static func authority(_ name: String, days: Int32) throws(TrustError) -> CertificatePair {
        try make { certificate, key, reason in certificate_make_authority(name, days, certificate, key, reason) }
    }

    /// - Parameter names: names and numeric addresses.
    func leaf(_ names: [String], days: Int32) throws(TrustError) -> CertificatePair {
        let list = names.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
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

    private func isAddress(_ name: String) -> Bool {
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
