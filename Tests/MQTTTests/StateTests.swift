import Hub
import Parameters
import RenderInterface
import Testing

@testable import MQTT

/// The line of states to publish, and the answers to commands, without a broker.
@Suite struct StateTests {
    private final class Rig {
        let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear"])
        let hub: Hub
        let topics: MQTTTopics
        let states: MQTTStates
        var answers: [MQTTPublication] = []
        lazy var commands = MQTTCommands(hub, topics, states) { [unowned self] in answers.append($0) }
        var now: UInt64 = 1_000_000_000

        init() throws {
            hub = Hub(store: ParameterStore(tree)) { _, _ in false }
            topics = try MQTTTopics(engine: "hall")
            states = MQTTStates(hub, topics, revision: 100)
            states.begin()
        }

        /// Publishes ten times a second.
        func settle(turns: Int = 100) -> [MQTTPublication] { (0..<turns).flatMap { _ in turn() } }

        func turn(room: Int = .max) -> [MQTTPublication] {
            var taken: [MQTTPublication] = []
            states.publish(now: now) {
                guard taken.count < room else { return false }
                taken.append($0)
                return true
            }
            now += 100_000_000
            return taken
        }

        func command(_ address: String, _ payload: String, _ change: (inout MQTTArrival) -> Void = { _ in }) -> String {
            var arrival = MQTTArrival(topic: "vestibule/hall/set" + address, arguments: MQTTValue.arguments(Array(payload.utf8)))
            (arrival.responseTopic, arrival.correlation) = ("answers", [7])
            change(&arrival)
            answers = []
            commands.handle(arrival)
            return answers.first.map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
        }
    }

    @Test func everyReadableParameterIsPublishedOnce() throws {
        let rig = try Rig()
        let all = rig.settle()
        let wanted = rig.tree.nodes.filter { $0.spec.access != .write && MQTTStates.isPublished($0.address) }.map(\.address)
        #expect(Set(all.map(\.topic)) == Set(wanted.map { "vestibule/hall/state" + $0 }) && all.count == wanted.count)
        #expect(all.allSatisfy { $0.isRetained && $0.isConfirmed && $0.payload != [] })
        #expect(!wanted.contains { $0.hasPrefix("/meter") || $0.hasPrefix("/mqtt") } && wanted.contains("/listener/1/gain"))
        #expect(!wanted.contains("/test/seed") && wanted.count > 100)
    }

    @Test func changesAreCoalescedAndTheLastOneIsPublished() throws {
        let rig = try Rig()
        _ = rig.settle()
        let gain = rig.tree.index(ListenerParameter.gain)
        var published: [MQTTPublication] = []
        for step in 1...1000 {
            rig.hub.publish(gain, .number(-Float(step) / 100))
            if step.isMultiple(of: 10) { published += rig.turn() }
        }
        let moving = published.count
        published += rig.settle()
        // Ten changes at once, and five a second for ten seconds.
        #expect((50...65).contains(moving) && published.count <= moving + 1)
        #expect(published.last?.payload == Array("-10".utf8))
        let revisions = published.compactMap { UInt64($0.properties[0].value) }
        #expect(revisions == revisions.sorted() && Set(revisions).count == published.count)
    }

    @Test func aFewChangesArePublishedAtOnce() throws {
        let rig = try Rig()
        _ = rig.settle()
        let gain = rig.tree.index(ListenerParameter.gain)
        // Five changes a second, for a minute.
        for step in 1...300 {
            rig.hub.publish(gain, .number(-Float(step) / 100))
            #expect(rig.turn().map(\.topic) == [rig.topics.state("/listener/1/gain")], "\(step)")
            #expect(rig.turn() == [])
        }
        // Measurements wait for their second.
        let load = rig.tree.index(EngineParameter.load)
        let count = (1...100).count { step in
            rig.hub.publish(load, .number(Float(step) / 1000))
            return !rig.turn().isEmpty
        }
        #expect((10...11).contains(count))
    }

    @Test func nothingIsLostWhenTheConnectionTakesNoMore() throws {
        let rig = try Rig()
        let whole = try Rig().settle().count
        let all = (0..<400).flatMap { _ in rig.turn(room: 7) }
        #expect(Set(all.map(\.topic)).count == all.count && all.count == whole)
    }

    @Test func aParameterThatVanishesIsRemoved() throws {
        let rig = try Rig()
        let added = rig.hub.exchange([], for: [TransientParameter("/rack/1/slot/1/x", .toggle("", ""), .number(0))])
        #expect(rig.settle().contains { $0.topic == "vestibule/hall/state/rack/1/slot/1/x" })
        _ = rig.hub.exchange(added, for: [])
        let removal = rig.settle()
        #expect(removal.map(\.topic) == ["vestibule/hall/state/rack/1/slot/1/x"] && removal[0].payload == [] && removal[0].isRetained)
        rig.states.note(found: [rig.topics.state("/gone"), rig.topics.state("/listener/1/gain"), rig.topics.state("/meter/x")])
        #expect(rig.turn(room: 1).map(\.topic) == [rig.topics.state("/gone")])
        #expect(rig.settle().map(\.topic) == [rig.topics.state("/meter/x")])
    }

    @Test func commandsAreAnswered() throws {
        let rig = try Rig()
        _ = rig.settle()
        #expect(rig.command("/listener/1/gain", "-6") == #"{"ok":true,"address":"/listener/1/gain","value":-6}"#)
        #expect(rig.answers[0].topic == "answers" && rig.answers[0].correlation == [7] && !rig.answers[0].isRetained)
        #expect(
            rig.command("/listener/1/gain", "99").contains(#""ok":true"#) && rig.command("/listener/1/gain", "99").contains("12 was set"))
        #expect(rig.command("/listener/1/method", #""nearest""#).contains(#""value":"nearest""#))
        #expect(rig.command("/listener/1/gain", #""loud""#).contains(#""ok":false"#))
        #expect(rig.command("/listener/1/gian", "1").contains("did you mean /listener/1/gain"))
        #expect(rig.command("/engine/load", "1").contains(#""ok":false"#))
        #expect(rig.command("/listener/1/gain", "{}").contains("JSON"))
        #expect(rig.command("/listener/1/gain", "1") { $0.isRetained = true }.contains("retained"))
        #expect(rig.command("/listener/1/gain", "") { $0.arguments = .failure(.init(excess: 70_000)) }.contains("70000 bytes"))
        #expect(rig.command("/listener/1/gain", "1") { $0.responseTopic = "vestibule/other/set/listener/1/gain" } == "")
        for pattern in ["/listener/*/gain", "/listener/?/gain", "/listener/{1,2}/gain", "/listener/[1-2]/gain"] {
            #expect(rig.command(pattern, "1").contains("patterns are not accepted"), "\(pattern)")
        }
        #expect(rig.command("//gain", "1").contains("without its first slash"))
        #expect(rig.commands.refused == 11)
        #expect(rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(1))
    }

    @Test func theSenderRecognisesItsOwnChange() throws {
        let rig = try Rig()
        _ = rig.settle()
        _ = rig.command("/listener/1/gain", "-6") { $0.origin = "desk" }
        #expect(rig.turn().first { $0.topic.hasSuffix("/gain") }?.properties.last == .init("origin", "desk"))
        // A value that others have set meanwhile is not the sender's.
        _ = rig.command("/listener/1/gain", "-7") { $0.origin = "desk" }
        rig.hub.publish(rig.tree.index(ListenerParameter.gain), .number(-8))
        let later = rig.settle().first { $0.topic.hasSuffix("/gain") }
        #expect(later?.payload == Array("-8".utf8) && later?.properties.count == 1)
    }

    @Test func outdatedCommandsAreRefused() throws {
        let rig = try Rig()
        let first = rig.settle().first { $0.topic == rig.topics.state("/listener/1/gain") }?.properties.first?.value
        rig.hub.publish(rig.tree.index(ListenerParameter.gain), .number(-8))
        let second = rig.settle().first?.properties.first?.value
        #expect(rig.command("/listener/1/gain", "1") { $0.revision = first }.contains("outdated"))
        #expect(rig.command("/listener/1/gain", "1") { $0.revision = "-1" }.contains("whole number"))
        #expect(rig.command("/listener/1/gain", "1") { $0.revision = second }.contains(#""ok":true"#))
        // After a new connection nobody knows whether the value has changed meanwhile, until it is published again.
        rig.states.begin()
        #expect(rig.command("/listener/1/gain", "2") { $0.revision = second }.contains("outdated"))
        _ = rig.settle()
        #expect(rig.command("/listener/1/gain", "2") { $0.revision = second }.contains("outdated"))
        #expect(rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(1))
        // An action has the newest revision of the states beside it, measurements apart.
        rig.hub.publish(rig.tree.index(TransportParameter.state), .number(Float(TransportParameter.playing)))
        let state = rig.settle().first { $0.topic == rig.topics.state("/transport/state") }?.properties.first?.value
        #expect(!rig.command("/transport/play", "") { $0.revision = state }.contains("outdated"))
        rig.hub.publish(rig.tree.index(TransportParameter.position), .number(5))
        _ = rig.settle()
        #expect(!rig.command("/transport/play", "") { $0.revision = state }.contains("outdated"))
        rig.hub.publish(rig.tree.index(TransportParameter.state), .number(Float(TransportParameter.paused)))
        _ = rig.settle()
        #expect(rig.command("/transport/play", "") { $0.revision = state }.contains("outdated"))
        #expect(!rig.command("/transport/play", "").contains("outdated"))
    }
}
