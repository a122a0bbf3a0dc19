import Hub
import Parameters
import Session
import Testing

@testable import MQTT

/// Messages between an engine and those that follow it, without a broker.
@Suite struct FollowingTests {
    private final class Rig: SharedEngine {
        var shared = SessionFile(recording: nil, snapshot: Snapshot())
        var present = TransportReport(recording: "a.wav", state: 1, position: 1, time: 1_000_000_000, duration: 10, loops: true)
        lazy var scene = try? SharedScene(self, MQTTTopics(engine: "hall"))
        var now: UInt64 = 1_000_000_000

        /// Publications after some time, with the recording playing on.
        func publish(after seconds: Double, elapsed: Double? = nil) -> [String] {
            now += UInt64(seconds * 1e9)
            present.time += UInt64(seconds * 1e9)
            present.position += elapsed ?? seconds
            var topics: [String] = []
            scene?.publish(now: now) {
                topics.append($0.topic)
                return true
            }
            return topics
        }
    }

    @Test func aTransportIsReportedTenTimesASecondAndAtOnceWhenItJumps() {
        let rig = Rig()
        let transport = "vestibule/hall/telemetry/transport"
        #expect(rig.publish(after: 0.01).contains(transport))
        let quiet = (0..<9).flatMap { _ in rig.publish(after: 0.01) }
        #expect(!quiet.contains(transport))
        #expect(rig.publish(after: 0.02).contains(transport))
        #expect(rig.publish(after: 0.01, elapsed: 0.02).contains(transport), "a jump of 10 ms")
        rig.present.state = 2
        #expect(rig.publish(after: 0.01, elapsed: 0).contains(transport))
        #expect(!rig.publish(after: 0.01, elapsed: 0).contains(transport))
    }

    @Test func racksAndScenesArePublishedWhenTheyChange() {
        let rig = Rig()
        #expect(rig.publish(after: 0.1).contains("vestibule/hall/session"))
        #expect(!rig.publish(after: 0.2).contains("vestibule/hall/session"))
        rig.shared.scenes = [Scene(name: "a", snapshot: Snapshot())]
        #expect(rig.publish(after: 0.2).contains("vestibule/hall/session"))
        // Too much for the broker: scenes are left out, and that is told.
        rig.shared.scenes = (0..<200).map { Scene(name: "\($0)" + String(repeating: "x", count: 2000), snapshot: Snapshot()) }
        #expect(rig.publish(after: 0.2).contains("vestibule/hall/session"))
        #expect(rig.scene?.takeRefusal()?.contains("remove scenes") == true && rig.scene?.takeRefusal() == nil)
    }

    @Test func aReportArrivesAsItWasSent() throws {
        let report = TransportReport(
            recording: "hall/\"é\".wav", state: 1, position: 12.345678, time: 5_123_456_789, duration: 60.5, loops: false)
        let message = try #require(TransportMessage(TransportMessage(report).json))
        let got = try #require(message.report { UInt64($0) + 7 })
        #expect(got.recording == report.recording && got.state == 1 && !got.loops && got.duration == 60.5)
        #expect(abs(got.position - 12.345678) < 1e-9 && abs(Double(got.time) - 5_123_456_796) < 2)
    }

    @Test(arguments: ["", "null", "{}", "[1]", #"{"recording":"a","state":"playing","position":-1,"time":1,"duration":1,"loop":true}"#])
    func otherReportsAreRefused(_ text: String) { #expect(TransportMessage(Array(text.utf8)) == nil) }

    @Test func positionsGoRoundWhereTheRecordingRepeats() {
        let report = TransportReport(recording: "a", state: 1, position: 9, time: 1_000_000_000, duration: 10, loops: true)
        #expect(abs(report.position(at: 3_500_000_000) - 1.5) < 1e-9 && abs(report.position(at: 500_000_000) - 8.5) < 1e-9)
        #expect(abs(report.difference(9.75) + 0.25) < 1e-9 && abs(report.difference(-9.75) - 0.25) < 1e-9)
        #expect(abs(report.rounded(-0.5) - 9.5) < 1e-9)
        let once = TransportReport(recording: "a", state: 1, position: 9, time: 1_000_000_000, duration: 10, loops: false)
        #expect(abs(once.position(at: 3_500_000_000) - 11.5) < 1e-9 && once.difference(9.75) == 9.75)
    }

    @Test func anEngineCannotFollowItself() throws {
        #expect(throws: MQTTSettingsError.self) { try MQTTSettings(broker: MQTTBroker("mqtt://localhost"), name: "hall", leader: "hall") }
        #expect(throws: MQTTSettingsError.self) { try MQTTSettings(broker: MQTTBroker("mqtt://localhost"), name: "hall", leader: "a/b") }
        let settings = try MQTTSettings(broker: MQTTBroker("mqtt://localhost"), name: "hall", leader: "foyer")
        #expect(settings.leader?.clock == "vestibule/foyer/clock" && settings.topics.clockAnswers == "answers/hall/clock")
    }
}
