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

/// Address of a broker: `mqtt://[user@]host[:port]`, or `mqtts://…` for TLS.
public struct MQTTBroker: Sendable, Equatable {
    public let isSecure: Bool
    /// Nil connects without a name.
    public let user: String?
    public let host: String
    public let port: UInt16

    /// - Throws: ``MQTTSettingsError`` that names what is wrong, without repeating a password.
    public init(_ text: String) throws(MQTTSettingsError) {
        guard let address = WrittenAddress(text), let isSecure = ["mqtt": false, "mqtts": true][address.scheme] else {
            throw MQTTSettingsError("the broker's address must begin with mqtt:// or mqtts://, as in mqtts://broker.example.org")
        }
        var rest = address.rest
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            let name = rest[..<at]
            guard !name.contains(":") else {
                throw MQTTSettingsError(
                    "a password in the broker's address could be read by every user of this machine; "
                        + "use --mqtt-password-file or VESTIBULE_MQTT_PASSWORD")
            }
            guard !name.isEmpty else { throw MQTTSettingsError("the broker's address has an empty user name before the @") }
            user = String(name)
            rest = rest[rest.index(after: at)...]
        }
        var port: UInt16 = isSecure ? 8883 : 1883
        let isBracketed = rest.hasPrefix("[")
        let afterHost = isBracketed ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        if let afterHost, afterHost < rest.endIndex {
            guard rest[afterHost] == ":", let number = UInt16(rest[afterHost...].dropFirst()), number > 0 else {
                throw MQTTSettingsError("the port in the broker's address must be a number from 1 to 65535")
            }
            port = number
            rest = rest[..<afterHost]
        }
        let isClosed = isBracketed == rest.hasSuffix("]")
        if isBracketed { rest = rest.dropFirst().dropLast() }
        let isHost = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#[]@\"\\".utf8.contains($0) }
        guard !rest.isEmpty, isHost, isClosed, isBracketed == rest.contains(":") else {
            throw MQTTSettingsError("the broker's address needs a host name or an address after \(address.scheme)://, without a path")
        }
        (self.isSecure, self.user, host, self.port) = (isSecure, user, String(rest), port)
    }
}

extension MQTTBroker: CustomStringConvertible {
    /// Without the user.
    public var description: String {
        "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

/// A setting of the connection to a broker that cannot be used, in a sentence.
public struct MQTTSettingsError: Error, CustomStringConvertible, Equatable {
    public let description: String

    init(_ description: String) { self.description = description }
}
