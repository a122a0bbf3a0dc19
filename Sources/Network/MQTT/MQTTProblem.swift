/// Reasons why a broker does not serve this engine, as sentences with advice.
enum MQTTProblem {
    private static let wrongVersion = "this broker does not speak MQTT 5"

    /// - Parameters:
    ///   - reason: of a CONNACK, MQTT 5 or 3.1.1.
    ///   - words: the library's words for it.
    static func refusedConnection(_ reason: Int32, _ words: String, user: String?) -> String {
        switch reason {
        case 0x84, 1: wrongVersion
        case 0x86, 4, 0x8C:
            user == nil
                ? "the broker wants a user name and a password: name the user in --mqtt and give --mqtt-password-file"
                : "the broker refuses the user name or the password: check the user in --mqtt and --mqtt-password-file"
        case 0x87, 5:
            user == nil
                ? "the broker does not authorise clients without a user name: name the user in --mqtt and give --mqtt-password-file"
                : "the broker does not authorise this user: check its name and password and the broker's access list"
        case 0x85, 2: "the broker refuses the client identifier vestibule-NAME; choose another --mqtt-name"
        default: "the broker refuses the connection: \(words)"
        }
    }

    static let malformed = "the broker's answers are not MQTT 5: check which program answers at the address in --mqtt"
    static let tooLarge = "the broker sends a packet that is larger than the engine accepts: check that it is an MQTT broker"

    static let lost = "the connection to the broker was lost"

    /// The connection has been lost again soon after it was made.
    static func lostAgain(engine: String) -> String {
        "\(lost) again: if another engine has the name \(engine), give each its own --mqtt-name; the broker's log has the reason"
    }

    /// The broker took the connection and sent nothing.
    static func mute(_ broker: MQTTBroker) -> String {
        "port \(broker.port) of \(broker.host) takes connections but does not answer: check that an MQTT broker listens there"
            + (broker.isSecure ? "" : ", and use mqtts:// if it expects TLS")
    }

    /// The broker ended the connection before it had answered.
    static func closed(_ broker: MQTTBroker) -> String {
        "the broker ends the connection without an answer: "
            + (broker.isSecure
                ? "check that port \(broker.port) is its port for MQTT over TLS" : "use mqtts:// if port \(broker.port) expects TLS")
    }

    /// - Parameter reason: of the broker's DISCONNECT.
    static func ended(_ reason: Int32, _ words: String, engine: String) -> String {
        switch reason {
        case 0x8E: "another engine has connected to the broker with the name \(engine); give each engine its own --mqtt-name"
        case 0x8B: "the broker is shutting down"
        default: "the broker has ended the connection: \(words)"
        }
    }

    /// - Parameter lines: errors that the library has logged.
    static func tls(_ lines: [String], broker: MQTTBroker) -> String {
        let text = lines.joined(separator: "; ")
        if text.contains("host name verification failed") {
            return "the broker's certificate is not for \(broker.host): use the name in the certificate in --mqtt"
        }
        if text.contains("certificate verify failed") {
            return "the broker's certificate is not trusted: give the file of the authority that signed it with --mqtt-ca"
        }
        if text.contains("certificate required") || text.contains("handshake failure") || text.contains("bad certificate") {
            return "the broker does not accept this engine's certificate: check --mqtt-certificate and --mqtt-key"
        }
        if text.contains("wrong version number") || text.contains("unexpected eof") {
            return "port \(broker.port) of the broker does not speak TLS: use mqtt:// or the port for TLS, usually 8883"
        }
        return "the encrypted connection to the broker failed" + (text.isEmpty ? "" : ": \(text)")
    }

    static func refusedPublication(_ words: String, engine: String) -> String {
        "the broker refuses what this engine publishes (\(words)): let its user write vestibule/\(engine)/#"
    }

    static func refusedSubscription(_ words: String, engine: String) -> String {
        "the broker refuses to deliver commands (\(words)): let this engine's user read vestibule/\(engine)/#"
    }
}
