internal import Files

/// The settings of a connection to a broker.
public struct MQTTSettings: Sendable {
    public let broker: MQTTBroker
    public let topics: MQTTTopics
    /// PEM file of the authorities that the broker's certificate is checked against; nil for those of the system.
    public let authority: String?
    /// PEM files of a certificate of this engine and its private key.
    public let certificate: (chain: String, key: String)?
    let password: String?
    /// Whether the engine is a device of Homie.
    let isHomie: Bool
    /// Topics of the engine that this one follows; nil for none.
    public let leader: MQTTTopics?

    /// Folder of the system's authorities.
    static let systemAuthorities = "/etc/ssl/certs"

    /// - Parameters:
    ///   - name: of this engine, in the topics.
    ///   - passwordFile: its first line is the password.
    ///   - password: used without a file.
    ///   - isHomie: whether the engine is a device of Homie, too.
    ///   - leader: name of the engine that this one follows.
    /// - Throws: ``MQTTSettingsError``.
    public init(
        broker: MQTTBroker, name: String, authority: String? = nil, certificate: (chain: String, key: String)? = nil,
        passwordFile: String? = nil, password: String? = nil, isHomie: Bool = false, leader: String? = nil
    ) throws(MQTTSettingsError) {
        (self.broker, self.isHomie) = (broker, isHomie)
        topics = try MQTTTopics(engine: name)
        self.leader = try leader.map { name throws(MQTTSettingsError) in try MQTTTopics(engine: name) }
        guard leader != name else { throw MQTTSettingsError("an engine cannot follow itself: both have the name \(name)") }
        if !broker.isSecure, authority != nil || certificate != nil {
            throw MQTTSettingsError("certificates are for TLS: use mqtts:// in the broker's address")
        }
        for path in [authority, certificate?.chain].compactMap(\.self) { try Self.check(try Self.open(path), path, "CERTIFICATE") }
        if let key = certificate?.key { try Self.check(try Self.open(key, isSecret: true), key, "PRIVATE KEY") }
        self.authority = authority
        self.certificate = certificate
        self.password = try passwordFile.map { path throws(MQTTSettingsError) in try Self.password(path) } ?? password
        guard self.password == nil || broker.user != nil else {
            throw MQTTSettingsError("a password needs a user name in the broker's address, as in mqtts://user@broker.example.org")
        }
    }

    private static func open(_ path: String, isSecret: Bool = false) throws(MQTTSettingsError) -> RegularFile {
        do throws(FileError) { return try isSecret ? .secret(path) : RegularFile(path) } catch { throw MQTTSettingsError("\(error)") }
    }

    /// Refuses a file that is not in PEM form or contains something else.
    private static func check(_ file: RegularFile, _ path: String, _ content: String) throws(MQTTSettingsError) {
        let bytes: [UInt8]
        do { bytes = try file.bytes(atMost: RegularFile.largestText) } catch { throw MQTTSettingsError("\(error)") }
        // OpenSSL has "RSA PRIVATE KEY" and "TRUSTED CERTIFICATE", too.
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("-----BEGIN "), text.contains("\(content)-----") else {
            throw MQTTSettingsError("\(path) has no \(content.lowercased()) in PEM form: no line -----BEGIN \(content)-----")
        }
    }

    private static func password(_ path: String) throws(MQTTSettingsError) -> String {
        do { return try RegularFile.secretLine(path, "password") } catch { throw MQTTSettingsError("\(error)") }
    }
}
