import Foundation
import TestSupport
import Testing

@testable import MQTT

/// Addresses of brokers, names of engines, topics.
@Suite struct BrokerAddressTests {
    @Test func addressesAreRead() throws {
        let cases: [(String, Bool, String?, String, UInt16)] = [
            ("mqtt://broker", false, nil, "broker", 1883), ("mqtts://broker", true, nil, "broker", 8883),
            ("mqtt://me@broker:42/", false, "me", "broker", 42), ("mqtt://a@b@broker", false, "a@b", "broker", 1883),
            ("mqtts://[::1]:8884", true, nil, "::1", 8884), ("mqtt://[fe80::1]", false, nil, "fe80::1", 1883),
        ]
        for (text, isSecure, user, host, port) in cases {
            let broker = try MQTTBroker(text)
            #expect(broker.isSecure == isSecure && broker.user == user && broker.host == host && broker.port == port, "\(text)")
        }
        #expect(try MQTTBroker("mqtts://me@[::1]:1").description == "mqtts://[::1]:1")
        #expect(try MQTTBroker("MQTTS://me@[::1]:1") == MQTTBroker("mqtts://me@[::1]:1"))
    }

    @Test func otherAddressesAreRefused() {
        for text in [
            "", "broker", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://broker:", "mqtt://broker:0", "mqtt://broker:65536",
            "mqtt://broker:x", "mqtt://broker/path", "mqtt://@broker", "mqtt://a b", "mqtt://::1", "mqtt://[broker]", "mqtt://[::1",
            "mqtt://[]", "mqtt://[::1]x", "mqtt://[::1]:", "mqtt://br\0ker", "mqtt://broker?x",
        ] {
            #expect(throws: MQTTSettingsError.self, "\(text)") { try MQTTBroker(text) }
        }
    }

    @Test func aPasswordInAnAddressIsRefusedWithoutRepeatingIt() {
        let error = #expect(throws: MQTTSettingsError.self) { try MQTTBroker("mqtt://me:secret@broker") }
        #expect(error?.description.contains("--mqtt-password-file") == true && error?.description.contains("secret") == false)
    }

    @Test func certificatesNeedTLSAndPasswordsNeedAUser() throws {
        let (plain, secure) = (try MQTTBroker("mqtt://b"), try MQTTBroker("mqtts://b"))
        #expect(throws: MQTTSettingsError.self) { try MQTTSettings(broker: plain, name: "hall", authority: "/etc/passwd") }
        #expect(throws: MQTTSettingsError.self) { try MQTTSettings(broker: secure, name: "hall", authority: "/nowhere") }
        #expect(throws: MQTTSettingsError.self) { try MQTTSettings(broker: secure, name: "hall", authority: "/dev/zero") }
        #expect(throws: MQTTSettingsError.self) { try MQTTSettings(broker: plain, name: "hall", password: "x") }
    }

    @Test func secretsThatOthersCanReadAreRefused() throws {
        let folder = TemporaryFolder()
        let (path, user) = (folder.path("secret"), try MQTTBroker("mqtts://me@b"))
        let pem = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n"
        try Data("right\n\(pem)".utf8).write(to: URL(filePath: path))
        func settings() throws -> MQTTSettings { try MQTTSettings(broker: user, name: "hall", passwordFile: path) }
        func key() throws -> MQTTSettings { try MQTTSettings(broker: user, name: "hall", certificate: (chain: path, key: path)) }
        for mode in [0o604, 0o640, 0o644] {
            chmod(path, mode_t(mode))
            let error = #expect(throws: MQTTSettingsError.self) { try settings() }
            #expect(error?.description.contains("chmod 600") == true && error?.description.contains("right") == false)
            #expect(throws: MQTTSettingsError.self) { try key() }
        }
        chmod(path, 0o600)
        #expect(try settings().password == "right" && key().certificate?.key == path)
    }

    @Test func filesWithoutCertificatesAreRefused() throws {
        let folder = TemporaryFolder()
        let (path, broker) = (folder.path("ca.pem"), try MQTTBroker("mqtts://b"))
        func refusal(_ text: String) throws -> String? {
            try Data(text.utf8).write(to: URL(filePath: path))
            do { _ = try MQTTSettings(broker: broker, name: "hall", authority: path) } catch { return error.description }
            return nil
        }
        #expect(try refusal("-----BEGIN CERTIFICATE-----\n") == nil)
        for text in ["", "hello", "-----BEGIN PRIVATE KEY-----\n", "CERTIFICATE-----"] {
            #expect(try refusal(text)?.contains("no certificate in PEM form") == true, "\(text)")
        }
    }

    @Test func topicsAndAddressesBelongToEachOther() throws {
        let topics = try MQTTTopics(engine: "hall-2")
        #expect(topics.state("/listener/1/gain") == "vestibule/hall-2/state/listener/1/gain")
        #expect(topics.address(ofCommand: "vestibule/hall-2/set/listener/1/gain") == "/listener/1/gain")
        #expect(topics.address(ofState: topics.state("/a/b")) == "/a/b")
        for topic in [
            "vestibule/hall-2/set", "vestibule/hall-2/set/", "vestibule/hall-2/settle/a", "vestibule/hall/set/a",
            "vestibule/hall-2/state/a",
            "", "/", "vestibule/hall-2/set\u{301}/a",
        ] { #expect(topics.address(ofCommand: topic) == nil, "\(topic)") }
    }

    @Test func namesThatChangeATopicAreRefused() {
        for name in ["", "a/b", "a+", "#", "$SYS", "a b", "a\n", String(repeating: "x", count: 65)] {
            #expect(throws: MQTTSettingsError.self, "\(name)") { try MQTTTopics(engine: name) }
        }
    }

    @Test func answersAreNotCommands() {
        for topic in [
            "vestibule/other/set/a", "homie/5/lamp/light/on/set", "$SYS/x", "a/+", "a/#", "", String(repeating: "x", count: 1025),
        ] {
            #expect(MQTTTopics.refusal(ofResponseTopic: topic) != nil, "\(topic)")
        }
        #expect(MQTTTopics.refusal(ofResponseTopic: "dashboard/7/answers") == nil)
    }
}
