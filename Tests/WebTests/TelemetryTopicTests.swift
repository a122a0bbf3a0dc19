import Foundation
import Hub
import OSCControl
import Parameters
import RenderInterface
import Testing

@testable import Query
@testable import Web

/// A topic as a contributor would add it: one file, and one line in the list of topics.
private final class ToyTopic: StateTopic {
    let name = "toy"
    let code: UInt8? = 99
    let fastest = 10

    private let hub: Hub

    init(_ sources: TelemetrySources) { hub = sources.hub }

    var state: State? { State(json: hub.value(hub.tree.index(ListenerParameter.gain)).numbers) }

    struct State: TelemetryContent {
        let json: [Float]

        func write(to bytes: inout TelemetryWriter) { bytes.add(json) }
    }
}

@Suite struct TelemetryTopicTests {
    private let hub = Hub(store: ParameterStore(ParameterTree(listeners: 1, methods: ["linear"])), matches: OSCAddressPattern.matches)

    @Test func aTopicIsOneFileAndOneLine() throws {
        let service = TelemetryService(hub: hub, topics: TelemetryTopics.all + [{ ToyTopic($0) }])
        var sent = 0
        let client = TelemetryClient(service, hiding: nil, wake: {}) { _ in
            sent += 1
            return true
        }
        #expect(service.topics.map(\.name).last == "toy")
        while client.nextFrame() != nil {}
        client.receive(Array(#"{"type":"subscribe","topics":["toy"],"rate":60,"format":"binary"}"#.utf8), isText: true)
        // The answer, followed by the first frame.
        let answer = try #require(client.nextFrame())
        let frame = try #require(client.nextFrame())
        #expect(answer.count > 0 && frame.count == 16 + 4 && !client.hasMore)
        let last = service.topics.count - 1
        let made = TelemetryFrame(
            service.topics[last], index: last, sequence: 7, time: 5, ToyTopic.State(json: [0.5]), isSnapshot: true)
        #expect(TelemetryJSON.text(made) == #"{"data":[0.5],"sequence":7,"snapshot":true,"time":5,"topic":"toy","type":"frame"}"#)
        #expect(TelemetryBinary.bytes(made, code: 99) == [1, 99, 1, 0, 7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 63])
        client.close()
    }

    @Test func namesAndNumbersOfTopicsAreUnique() {
        let topics = TelemetryService(hub: hub).topics
        #expect(Set(topics.map(\.name)).count == topics.count)
        let codes = topics.compactMap(\.code)
        #expect(Set(codes).count == codes.count && !codes.contains(0))
    }

    /// The list of topics in the schema is generated: `make protocol` updates it.
    @Test func theSchemaNamesEveryTopic() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "protocol/schemas/telemetry.json")
        let names = TelemetryService(hub: hub).topics.map(\.name)
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let text = try String(contentsOf: file, encoding: .utf8)
        let updated = text.replacing(/"topic": \{"enum": \[[^\]]*\]\}/, with: #""topic": {"enum": [\#(list)]}"#)
        if ProcessInfo.processInfo.environment["UPDATE_PROTOCOL"] != nil {
            try Data(updated.utf8).write(to: file, options: .atomic)
        }
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let definitions = try #require((schema as? [String: Any])?["$defs"] as? [String: [String: Any]])
        #expect(definitions["topic"]?["enum"] as? [String] == names)
    }
}
