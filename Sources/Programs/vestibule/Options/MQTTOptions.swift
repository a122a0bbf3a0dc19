import ArgumentParser
import Engine
import Files
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

    @Flag(name: .customLong("mqtt-homie"), help: "Also publish this engine as a Homie 5 device for home automation, below homie/5/.")
    var mqttHomie = false

    @Option(
        help: ArgumentHelp(
            "Name of another engine at the broker, whose session, scenes and transport this one mirrors.", valueName: "engine"))
    var follow: String?

    @Option(
        name: .customLong("follow-media"),
        help: ArgumentHelp(
            "Address (http:// or https://) of a server that has the followed engine's files in recordings/, sounds/ and responses/; "
                + "missing ones are fetched.",
            valueName: "url"))
    var followMedia: String?

    @Option(
        name: .customLong("follow-media-token-file"),
        help: "File whose first line is a token with the role control, for --follow-media with the addresses of an engine.")
    var followMediaTokenFile: String?

    @Option(
        name: .customLong("follow-media-ca"),
        help: "PEM file of the authority of the certificate of --follow-media (default: the system's authorities).")
    var followMediaCA: String?

    func validate() throws {
        guard (mqttCertificate == nil) == (mqttKey == nil) else {
            throw ValidationError("--mqtt-certificate and --mqtt-key must be given together.")
        }
        let others = [follow, mqttName, mqttCA, mqttCertificate, mqttPasswordFile]
        guard mqtt != nil || (others.allSatisfy { $0 == nil } && !mqttHomie) else { throw ValidationError("MQTT options require --mqtt.") }
        guard followMedia == nil || follow != nil else { throw ValidationError("--follow-media needs --follow.") }
        guard followMedia != nil || (followMediaTokenFile == nil && followMediaCA == nil) else {
            throw ValidationError("--follow-media-token-file and --follow-media-ca need --follow-media.")
        }
        if let followMedia, followMediaTokenFile != nil, FollowedMedia(followMedia) != nil, FollowedMedia(followMedia, token: "-") == nil {
            throw ValidationError("--follow-media \(followMedia): a token goes to https:// addresses only, or to this machine.")
        }
        if let followMedia, WrittenAddress.hasSecret(followMedia) {
            throw ValidationError(
                "--follow-media: leave the login or token out of the address; --follow-media-token-file has a token for an engine.")
        }
        if let followMedia, FollowedMedia(followMedia) == nil {
            throw ValidationError("--follow-media \(followMedia): give an address such as https://hall.example.org/media.")
        }
        if let mqtt {
            do { _ = try MQTTBroker(mqtt) } catch { throw ValidationError("--mqtt: \(error)") }
        }
    }

    /// Files that are read.
    var inputs: [String] { [mqttCA, mqttCertificate, mqttKey, mqttPasswordFile, followMediaTokenFile, followMediaCA].compactMap(\.self) }

    /// - Returns: nil where recordings of the followed engine are not fetched.
    func media() throws -> FollowedMedia? {
        let token = try followMediaTokenFile.map { try RegularFile.secretLine($0, "token") }
        return followMedia.flatMap { FollowedMedia($0, token: token, authority: followMediaCA) }
    }

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
