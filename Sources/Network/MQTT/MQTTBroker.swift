internal import Files

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
