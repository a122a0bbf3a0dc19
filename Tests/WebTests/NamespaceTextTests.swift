import DSP
import Files
import Foundation
import Hub
import Parameters
import RenderInterface
import TestSupport
import Testing

@testable import Query
@testable import Web

/// The shared text of the namespace, compared with what the encoder makes of the whole tree.
@Suite struct NamespaceTextTests {
    let hub = Hub(store: ParameterStore(ParameterTree(listeners: 3, methods: ["nearest", "linear"], objects: 2))) { _, _ in false }

    private func expected(_ path: String, in hub: Hub) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let node = try #require(OSCQueryNode.describe(hub.tree, path: path, value: hub.value))
        return String(decoding: try encoder.encode(node), as: UTF8.self)
    }

    private func expected(_ path: String) throws -> String { try expected(path, in: hub) }

    private func set(_ address: String, _ argument: Argument) {
        #expect(hub.handle(Message(address: address, arguments: [argument], receiveTime: 0)) == .done)
    }

    @Test(arguments: [0, 1, 3, 40]) func textThatWasPreparedIsTheSame(calls: Int) throws {
        let text = NamespaceText(hub, VisitorValues(hub, HiddenFolders()))
        for _ in 0..<calls { text.warm() }
        set("/listener/2/gain", .float(-6))
        #expect(String(decoding: try #require(text.json(.init(path: "/"))), as: UTF8.self) == (try expected("/")))
        let spec = ListenerParameter.gain.spec
        _ = hub.exchange(
            [], for: [TransientParameter("/listener/2/extra/gain", spec, .number(-3))],
            containers: ["/listener/2/extra": "Of a test."])
        for _ in 0..<calls { text.warm() }
        set("/listener/2/gain", .float(-9))
        #expect(String(decoding: try #require(text.json(.init(path: "/"))), as: UTF8.self) == (try expected("/")))
    }

    @Test func theTextFollowsValuesAndShape() throws {
        let text = NamespaceText(hub, VisitorValues(hub, HiddenFolders()))
        func check() throws {
            for path in ["/", "/listener", "/listener/2", "/object"] {
                let json = try #require(text.json(.init(path: path)))
                #expect(String(decoding: json, as: UTF8.self) == (try expected(path)))
            }
        }
        try check()
        set("/listener/2/gain", .float(-6))
        try check()
        set("/listener/2/gain", .float(-7))
        set("/object/1/azimuth", .float(30))
        hub.notice("quotes \" and \\ and é")
        try check()
        let spec = ListenerParameter.gain.spec
        let indices = hub.exchange(
            [], for: [TransientParameter("/listener/2/extra/gain", spec, .number(-3))],
            containers: ["/listener/2/extra": "Of a test."])
        try check()
        set("/listener/2/extra/gain", .float(-4))
        try check()
        // Another parameter in the place of the previous one.
        let others = hub.exchange(
            indices, for: [TransientParameter("/listener/2/extra/gain", ObjectParameter.azimuth.spec, .number(30))])
        try check()
        hub.rename(others.map { ($0, nil) }, from: "/listener/2/extra", to: "/listener/2/moved")
        try check()
        _ = hub.exchange(others, for: [], containers: ["/listener/2/moved": nil])
        try check()
    }

    /// Listeners that are added and removed, and containers whose names begin alike, stand where the encoder puts them.
    @Test func theTextFollowsListenersThatComeAndGo() throws {
        let tree = ParameterTree(listeners: 1, network: 40, methods: ["nearest", "linear"], objects: 1)
        let hub = Hub(store: ParameterStore(tree)) { _, _ in false }
        let text = NamespaceText(hub, VisitorValues(hub, HiddenFolders()))
        var random = SeededRandom()
        var extra: [Int] = []
        for turn in 0..<40 {
            for _ in 0..<5 {
                let listener = Int.random(in: 1...40, using: &random)
                hub.setPresence(ofListener: listener, !hub.tree.isPresent[listener])
            }
            if turn % 5 == 4 {
                let names = ["a", "a-b", "a.b", "a/b", "ab/c", "a0"].shuffled(using: &random).prefix(4)
                extra = hub.exchange(
                    extra, for: names.map { TransientParameter("/extra/\($0)/gain", ListenerParameter.gain.spec, .number(-3)) })
            }
            for path in ["/", "/listener", "/listener/7", "/listener/35", "/rack/listener", "/extra", "/nowhere"] {
                let json = text.json(.init(path: path)).map { String(decoding: $0, as: UTF8.self) }
                let isThere = OSCQueryNode.describe(hub.tree, path: path, value: hub.value) != nil
                #expect(json == (isThere ? try expected(path, in: hub) : nil), "\(path), turn \(turn)")
            }
        }
    }

    @Test func textIsSharedUntilAValueChanges() throws {
        let text = NamespaceText(hub, VisitorValues(hub, HiddenFolders()))
        func place() -> UnsafeRawPointer? { text.json(.init(path: "/"))?.withUnsafeBytes { $0.baseAddress } }
        let first = text.json(.init(path: "/"))
        #expect(first?.withUnsafeBytes { $0.baseAddress } == place())
        set("/listener/1/gain", .float(-5))
        #expect(first?.withUnsafeBytes { $0.baseAddress } != place())
    }

    @Test func onlyContainersHaveText() throws {
        let text = NamespaceText(hub, VisitorValues(hub, HiddenFolders()))
        #expect(text.json(.init(path: "/listener/1/gain")) == nil)
        #expect(text.json(.init(path: "/nowhere")) == nil)
        let contents = try #require(text.json(.init(path: "/listener/1", isContentsOnly: true)))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(contents)) as? [String: [String: Any]])
        #expect(json.keys.sorted() == ["CONTENTS"] && json["CONTENTS"]?["gain"] != nil)
    }

    @Test func hostsHaveOneForm() {
        for host in ["localhost", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:8080", "a-b.c_d.example.", "x:0", "x:65535"] {
            #expect(RequestForm.isHost(host), "\(host)")
        }
        for host in [
            "", " ", ":80", "a b", "a,b", "a, a", "a@b", "a/b", "a?b", "a:", "a:x", "a:65536", "a:-1", "a:1:2", "::1", "[::1", "[]",
            "[::1]x", "[::1]:", "[::g]", "é", "a\u{0}", String(repeating: "a", count: 256),
        ] {
            #expect(!RequestForm.isHost(host), "\(host)")
        }
    }
}
