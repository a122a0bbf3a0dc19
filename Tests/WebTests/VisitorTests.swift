import Files
import Foundation
import Hub
import OSCControl
import Parameters
import RenderInterface
import Testing
import Trust

@testable import Query
@testable import Web

/// The machine's folders are hidden from visitors who may not control, and from no one else.
@Suite struct VisitorTests {
    static let folder = "/tmp/a \"b\", (ç)/rec: 1"
    let hub = Hub(store: ParameterStore(ParameterTree(listeners: 1, trackers: 1, methods: ["linear"])), matches: OSCAddressPattern.matches)
    let values: VisitorValues

    init() {
        let folders = HiddenFolders()
        folders.learn(Self.folder)
        values = VisitorValues(hub, folders)
    }

    private func publish(_ text: String) { hub.publish(hub.tree.index(SessionParameter.recording), .text(text)) }

    @Test func theNamespaceOverHTTP() throws {
        let service = OSCQueryService(hub: hub, pages: StaticFiles(TestServer.panel), values: values)
        func body(_ path: String, _ query: String?, mayControl: Bool) -> String {
            let response = service.answer(path, query: query, mayControl: mayControl) {
                HostInfo(osc: ("", 0), http: ("", 0))
            }
            guard case .bytes(let bytes) = response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        for name in ["one.wav", "two.wav"] {
            publish(Self.folder + "/" + name)
            hub.notice("\(Self.folder)/\(name) is truncated")
            for (path, query) in [
                ("/", nil), ("/session", nil), ("/session", "CONTENTS"), ("/session/recording", nil), ("/session/recording", "VALUE"),
                ("/session/recording", "HTML"), ("/session", "HTML"), ("/engine/notice", nil), ("/engine", nil),
            ] {
                let (seen, whole) = (body(path, query, mayControl: false), body(path, query, mayControl: true))
                #expect(!seen.contains("rec: 1") && !seen.contains("(ç)"), "\(path) \(query ?? "")")
                #expect(query == "HTML" && path == "/session" || whole.contains("rec: 1"), "\(path) \(query ?? "")")
                #expect(query == "HTML" && path == "/session" || seen.contains("…/\(name)"), "\(path) \(query ?? "")")
            }
        }
        #expect(body("/", nil, mayControl: false).contains("\"FULL_PATH\":\"/media/about\""))
    }

    @Test func theNamespaceOverAWebSocket() throws {
        func values(_ role: AccessRole) -> [Argument] {
            let client = QueryClient(hub: hub, role: role, values: self.values) {}
            defer { client.close() }
            client.receive(Array(#"{"COMMAND":"LISTEN","DATA":"/session/recording"}"#.utf8), isText: true)
            let messages = client.nextFrame().flatMap { frame in
                try? frame.bytes(from: 0).withUnsafeBytes { try OSCPacket.parse($0, receiveTime: 0) }
            }
            return messages?.first?.1.arguments ?? []
        }
        publish(Self.folder + "/one.wav")
        #expect(values(.view) == [.string("…/one.wav")])
        #expect(values(.control) == [.string(Self.folder + "/one.wav")])
    }

    /// Frames of telemetry are made once for those who may control, and once for the others.
    @Test func telemetry() throws {
        let service = TelemetryService(hub: hub)
        publish(Self.folder + "/one.wav")
        service.note("\(Self.folder)/one.wav is truncated")
        for (index, topic) in service.topics.enumerated() {
            let group = TelemetryGroup(topic, index: index, rate: 1, number: 0, elapsed: 0)
            guard topic.isState, let content = topic.snapshot(for: group) else { continue }
            let frame = TelemetryFrame(topic, index: index, sequence: 1, time: 1, content)
            let (seen, whole) = (frame.wire(isBinary: false, hiding: values.folders), frame.wire(isBinary: false))
            #expect(frame.wire(isBinary: false, hiding: values.folders) === seen && frame.wire(isBinary: false) === whole)
            let (text, all) = (String(decoding: seen.bytes(from: 0), as: UTF8.self), String(decoding: whole.bytes(from: 0), as: UTF8.self))
            #expect(!text.contains("rec: 1") && !text.contains("(ç)"), "\(topic.name)")
            #expect(text.contains("…/one.wav") == ["log", "transport"].contains(topic.name), "\(topic.name)")
            #expect(all.contains("rec: 1") == ["log", "transport"].contains(topic.name), "\(topic.name)")
            _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        }
    }
}
