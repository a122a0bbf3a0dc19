import ArgumentParser
import Foundation
import MQTT
import Trust

/// The connection to an MQTT broker.
struct MQTTOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Broker to share state and commands with, by MQTT 5: mqtt://[user@]host[:port], or mqtts:// with TLS.", valueName: "url"))
    var mqtt: String?

    @Option(name: .customLong("mqtt-name"), help: "Name of this engine in topics (default: this machine's name).")
    var mqttName: String?

    @Option(
        name: .customLong("mqtt-ca"), help: "PEM file of the authority of the broker's certificate (default: the system's authorities).")
    var mqttCA: String?

    @Option(name: .customLong("mqtt-certificate"), help: "Certificate of this engine for the broker, as PEM; needs --mqtt-key.")
    var mqttCertificate: String?

    @Option(name: .customLong("mqtt-key"), help: "Private key of --mqtt-certificate, as PEM without a passphrase.")
    var mqttKey: String?

    @Option(
        name: .customLong("mqtt-password-file"),
        help: "File whose first line is the user's password (default: the environment variable VESTIBULE_MQTT_PASSWORD).")
    var mqttPasswordFile: String?

    @Flag(name: .customLong("mqtt-homie"), help: "Describe this engine to the automation of houses and museums by Homie 5, below homie/5/.")
    var mqttHomie = false

    @Option(
        help: ArgumentHelp(
            "Name of another engine at the broker, whose session, scenes and transport this one mirrors.", valueName: "engine"))
    var follow: String?

    func validate() throws {
        guard (mqttCertificate == nil) == (mqttKey == nil) else {
            throw ValidationError("--mqtt-certificate and --mqtt-key need each other.")
        }
        let others = [follow, mqttName, mqttCA, mqttCertificate, mqttPasswordFile]
        guard mqtt != nil || (others.allSatisfy { $0 == nil } && !mqttHomie) else { throw ValidationError("Options of MQTT need --mqtt.") }
        if let mqtt {
            do { _ = try MQTTBroker(mqtt) } catch { throw ValidationError("--mqtt: \(error)") }
        }
    }

    /// Files that are read.
    var inputs: [String] { [mqttCA, mqttCertificate, mqttKey, mqttPasswordFile].compactMap(\.self) }

    /// - Returns: nil without a broker.
    func settings() throws -> MQTTSettings? {
        guard let mqtt else { return nil }
        let machine = MachineNames.names.first?.split(separator: ".").first.map(String.init)
        let certificate = mqttCertificate.flatMap { chain in mqttKey.map { (chain: chain, key: $0) } }
        return try MQTTSettings(
            broker: MQTTBroker(mqtt), name: mqttName ?? machine ?? "engine", authority: mqttCA, certificate: certificate,
            passwordFile: mqttPasswordFile, password: ProcessInfo.processInfo.environment["VESTIBULE_MQTT_PASSWORD"],
            isHomie: mqttHomie, leader: follow)
    }
}
