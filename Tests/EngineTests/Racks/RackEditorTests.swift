import Crossing
import Effects
import Engine
import Foundation
import Hub
import Parameters
import Rack
import RenderInterface
import TestSupport
import Testing

/// A rack as clients see it: dynamic addresses, and files.
@Suite struct RackEditorTests {
    static let presets = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "presets").path

    private let temporary = TemporaryFolder()
    let hub: Hub
    let editor: RackEditor
    /// Keeps the renderer's end of the handover alive.
    let plans: Parcel<Handover<RackPlan>.Realtime>

    init() {
        let presets = PresetFolder(folder: Self.presets)
        let tree = ParameterTree(listeners: 1, methods: ["nearest"], effects: EffectRegistry.standard.names, presets: presets.names)
        hub = Hub(store: ParameterStore(tree)) { pattern, address in
            pattern == "/rack/recording/slot/*/bypass" && address.hasPrefix("/rack/recording") && address.hasSuffix("/bypass")
        }
        let handover = Handover<RackPlan>()
        plans = Parcel(handover.realtime)
        editor = RackEditor(
            .recording, hub: hub, rate: 48_000, period: 64, plans: [Parcel(handover.control)], presets: presets,
            loader: ResponseLoader(),
            files: MessageFiles(clients: ClientFiles(data: temporary.path("data"), allowed: [temporary.path])))
        editor.connect()
    }

    @discardableResult
    func send(_ address: String, _ arguments: Argument...) -> Reply {
        hub.handle(Message(address: "/rack/recording" + address, arguments: arguments, receiveTime: 0))
    }

    func value(_ address: String) -> ParameterValue? { hub.tree.index(at: "/rack/recording" + address).map(hub.value) }

    /// Another quality is another instance of the effect, with its own latency; the other settings stay.
    @Test func qualityChangesTheLatency() {
        #expect(send("/add", .string("pitch-shift")) == .done)
        #expect(send("/slot/1/pitch-shift/semitones", .float(-5)) == .done)
        let low = value("/latency")?.numbers.first ?? 0
        #expect(send("/slot/1/pitch-shift/quality", .string("high")) == .done)
        #expect(value("/slot/1/pitch-shift/quality") == .number(1) && value("/slot/1/pitch-shift/semitones") == .number(-5))
        let high = value("/latency")?.numbers.first ?? 0
        #expect(low > 0 && high > 5 * low, "\(low), \(high)")
        #expect(send("/slot/1/pitch-shift/quality", .string("low-latency")) == .done)
        #expect(value("/latency")?.numbers.first == low)
    }

    /// The address at which effects had a mix of their own sets the slot's wet/dry: linear effects to the same number, others to
    /// the same proportion. It cannot be read, and goes with the effect.
    @Test func theFormerMixIsAnAlias() throws {
        #expect(send("/add", .string("phaser")) == .done && send("/add", .string("reverb")) == .done)
        #expect(value("/slot/1/mix") == .number(0.5) && value("/slot/2/mix") == .number(0.25))
        #expect(send("/slot/1/phaser/mix", .float(0.3)) == .done)
        #expect(value("/slot/1/mix") == .number(0.3) && editor.description.slots[0].mix == 0.3)
        var changes: [String] = []
        hub.onEdit = { changes += $0.changes.map(\.address) }
        let message = Message(address: "/rack/recording/slot/2/reverb/mix", arguments: [.float(0.5)], receiveTime: 0)
        let client = hub.subscribe {}
        #expect(hub.handle(message, from: client) == .done)
        #expect(abs((value("/slot/2/mix")?.numbers[0] ?? 0) - 0.5) < 1e-6)
        // One step of undo, of the slot's own address.
        #expect(changes == ["/rack/recording/slot/2/mix"])
        #expect(send("/slot/2/reverb/mix", .float(0.2)) == .done)
        let mix = Double(value("/slot/2/mix")?.numbers[0] ?? 0)
        #expect(abs(tan(mix * .pi / 2) - 0.25) < 1e-5)
        let index = try #require(hub.tree.index(at: "/rack/recording/slot/2/reverb/mix"))
        #expect(hub.tree.nodes[index].spec.access == .write)
        #expect(send("/slot/2/effect", .string("gate")) == .done)
        #expect(hub.tree.index(at: "/rack/recording/slot/2/reverb/mix") == nil && value("/slot/2/mix") == .number(1))
        #expect(hub.tree.index(at: "/rack/recording/slot/2/gate/mix") == nil)
        #expect(send("/clear") == .done && hub.tree.index(at: "/rack/recording/slot/1/phaser/mix") == nil)
    }

    /// A parameter that was renamed is set at its former address as well, which cannot be read and goes with the effect.
    @Test func theFormerNameOfAParameterIsAnAlias() throws {
        #expect(send("/add", .string("flanger")) == .done && value("/slot/1/flanger/depth") == .number(4))
        var changes: [String] = []
        hub.onEdit = { changes += $0.changes.map(\.address) }
        let message = Message(address: "/rack/recording/slot/1/flanger/reach", arguments: [.float(6)], receiveTime: 0)
        let client = hub.subscribe {}
        #expect(hub.handle(message, from: client) == .done)
        #expect(value("/slot/1/flanger/depth") == .number(6) && editor.description.slots[0].values[1] == 6)
        #expect(changes == ["/rack/recording/slot/1/flanger/depth"])
        let index = try #require(hub.tree.index(at: "/rack/recording/slot/1/flanger/reach"))
        #expect(hub.tree.nodes[index].spec.access == .write)
        #expect(send("/slot/1/effect", .string("gate")) == .done)
        #expect(hub.tree.index(at: "/rack/recording/slot/1/flanger/reach") == nil)
    }

    @Test func effectsBringTheirAddresses() {
        #expect(value("/slot/1/delay/time") == nil)
        #expect(send("/add", .string("delay")) == .done)
        #expect(send("/add", .string("compressor")) == .done)
        #expect(value("/layout") == .text("1 2"))
        #expect(value("/slot/1/delay/time") == .number(350))
        #expect(value("/slot/2/reduction") == .number(0) && value("/slot/1/reduction") == nil)
        #expect(send("/slot/1/delay/time", .float(20)) == .done)
        #expect(editor.description.slots[0].values[0] == 20)
        guard case .clamped = send("/slot/1/delay/time", .float(20_000)) else {
            Issue.record("not clamped")
            return
        }
        #expect(send("/slot/*/bypass", .bool(true)) == .done)
        #expect(editor.description.slots.allSatisfy { $0.bypass })
        // Numbers move with their effects.
        #expect(send("/layout", .string("2 1")) == .done)
        #expect(value("/slot/1/delay/time") == .number(1000))
        #expect(send("/slot/1/effect", .string("tremolo")) == .done)
        #expect(value("/slot/1/effect") == .number(Float(EffectRegistry.standard.number(of: .tremolo)!)))
        #expect(value("/slot/1/delay/time") == nil && value("/slot/1/tremolo/rate") != nil)
        #expect(send("/remove", .int(1)) == .done)
        #expect(value("/slot/1/effect") == nil && value("/layout") == .text("2"))
        #expect(send("/add", .string("gate")) == .done)
        #expect(value("/layout") == .text("2 1"))
    }

    /// Added and removed nodes are announced by their topmost path; renumbered ones as renamed.
    @Test func addedAndRemovedNodesAreAnnounced() {
        var changes: [PathChange] = []
        hub.onPathChange = { changes.append($0) }
        func take() -> [PathChange] {
            defer { changes = [] }
            return changes
        }
        let rack = "/rack/recording"
        send("/add", .string("delay"))
        #expect(take().first == .added(rack + "/slot"))
        send("/add", .string("gate"))
        #expect(take().first == .added(rack + "/slot/2"))
        send("/add", .string("chorus"))
        _ = take()
        send("/slot/3/effect", .string("tremolo"))
        #expect(take() == [.removed(rack + "/slot/3/chorus"), .added(rack + "/slot/3/tremolo")])
        send("/layout", .string("(1 | 2 | 3)"))
        #expect(take() == [.added(rack + "/branch"), .added(rack + "/branch/2"), .added(rack + "/branch/3")])
        send("/branch/3/mix", .float(0.25))
        // The branch of slot 3 becomes the second: it keeps its mix, and its subscribers keep their subscription.
        let listener = hub.subscribe {}
        #expect(hub.listen(listener, to: rack + "/branch/3/mix"))
        _ = listener.takePending()
        send("/layout", .string("2 (1 | 3)"))
        #expect(take() == [.removed(rack + "/branch/2"), .renamed(old: rack + "/branch/3", new: rack + "/branch/2")])
        #expect(value("/branch/2/mix") == .number(0.25) && value("/branch/3/mix") == nil)
        send("/branch/2/mix", .float(0.75))
        #expect(listener.takePending().map { hub.tree.nodes[$0].address } == [rack + "/branch/2/mix"])
        guard case .branches(_, let mix) = editor.description.places.last else {
            Issue.record("no branches")
            return
        }
        #expect(mix.last == 0.75)
        // A branch is inserted before it, which raises its number again.
        send("/layout", .string("(1 | 2 | 3)"))
        #expect(take() == [.renamed(old: rack + "/branch/2", new: rack + "/branch/3"), .added(rack + "/branch/2")])
        #expect(value("/branch/3/mix") == .number(0.75))
        // Branches that are exchanged keep their numbers.
        send("/layout", .string("(3 | 2 | 1)"))
        #expect(take().isEmpty && value("/branch/1/mix") == .number(0.75))
        send("/clear")
        #expect(
            Set(take().map { "\($0)" }).isSuperset(of: [
                "\(PathChange.removed(rack + "/branch"))", "\(PathChange.removed(rack + "/slot"))",
            ]))
    }

    @Test func invalidMessagesChangeNothing() throws {
        send("/preset", .string("dub"))
        let before = editor.description
        #expect(value("/title") == .text("dub"))
        for (address, argument) in [
            ("/layout", Argument.string("1 (2")), ("/layout", .string("1 2 9")), ("/layout", .string("1 1")),
            ("/remove", .int(9)), ("/load", .string("/nowhere.json")), ("/preset", .string("dob")), ("/add", .string("dealy")),
        ] {
            guard case .refused(let text) = send(address, argument) else {
                Issue.record("\(address) was not refused")
                continue
            }
            #expect(text.contains(";") || text.contains("has no choice"), "\(text)")
        }
        #expect(editor.description == before)
        // A convolution without its file: the whole rack is refused.
        let file = temporary.url.appending(path: "rack.json")
        try Data(
            """
            {"version": 1, "slots": [{"effect": "gate"},
             {"effect": "convolution", "parameters": {"response": "none.wav"}}]}
            """.utf8
        ).write(to: file)
        guard case .refused(let text) = send("/load", .string(file.path)) else {
            Issue.record("not refused")
            return
        }
        #expect(text.contains("none.wav"))
        #expect(editor.description == before)
    }

    @Test func branchesHaveAMix() {
        for kind in ["delay", "reverb", "gate"] { send("/add", .string(kind)) }
        #expect(value("/branch/1/mix") == nil)
        #expect(send("/layout", .string("1 ( 2|3 )")) == .done)
        #expect(value("/layout") == .text("1 (2 | 3)"))
        #expect(value("/branch/2/mix") == .number(0.5))
        #expect(send("/branch/2/mix", .float(0.75)) == .done)
        #expect(send("/layout", .string("(3 | 2 | ) 1")) == .done)
        #expect(value("/branch/1/mix") == .number(0.75))
        #expect(editor.description.places[0] == .branches(editor.description.places[0].rows!, mix: [0.75, 0.5, 1 / 3]))
        send("/clear")
        #expect(value("/branch/1/mix") == nil && value("/layout") == .text(""))
    }

    @Test func aLoadedRackIsSavedUnchanged() throws {
        let file = temporary.url.appending(path: "rack.json")
        send("/preset", .string("parallel-drums"))
        send("/slot/1/bypass", .bool(true))
        let before = editor.description
        #expect(send("/save", .string(file.path)) == .done)
        send("/clear")
        #expect(send("/load", .string(file.path)) == .done)
        #expect(editor.description == before)
        guard case .refused(let text) = send("/save", .string("/nowhere/at/all.json")) else {
            Issue.record("not refused")
            return
        }
        #expect(text.contains("in no folder that clients may use"))
    }

    /// A subscriber of a container receives values of nodes added later.
    @Test func subscribersReceiveNodesAddedLater() {
        let client = hub.subscribe {}
        #expect(hub.listen(client, to: "/rack"))
        #expect(hub.ignore(client, at: "/rack/recording/slot/2/mix") == false)
        _ = client.takePending()
        send("/add", .string("delay"))
        let told = client.takePending().map { hub.tree.nodes[$0].address }
        #expect(told.contains("/rack/recording/slot/1/delay/time") && told.contains("/rack/recording/layout"))
        send("/clear")
        #expect(!client.takePending().contains { hub.tree.nodes[$0].address.isEmpty })
        let stranger = hub.subscribe {}
        #expect(hub.listen(stranger, to: "/listener"))
        _ = stranger.takePending()
        send("/add", .string("delay"))
        #expect(stranger.takePending().isEmpty)
    }

    @Test func restoringKeepsUnchangedSlotsRunning() throws {
        func send(_ address: String, _ argument: Argument) {
            #expect(hub.handle(Message(address: address, arguments: [argument], receiveTime: 0)) == .done)
        }
        func value(_ address: String) -> ParameterValue? { hub.tree.index(at: address).map(hub.value) }
        send("/rack/recording/add", .string("delay"))
        send("/rack/recording/add", .string("chorus"))
        let kept = editor.description
        let place = try #require(hub.tree.index(at: "/rack/recording/slot/1/delay/time"))
        send("/rack/recording/slot/1/delay/time", .float(777))
        send("/rack/recording/slot/1/bypass", .bool(true))
        send("/rack/recording/remove", .int(2))
        var edits: [RackDescription] = []
        editor.onEdit = { edits.append($0) }
        let before = editor.description
        try editor.restore(kept, title: "back")
        #expect(editor.description == kept && edits == [before])
        #expect(value("/rack/recording/layout") == .text("1 2") && value("/rack/recording/title") == .text("back"))
        #expect(value("/rack/recording/slot/1/delay/time") == .number(kept.slots[0].values[0]))
        #expect(value("/rack/recording/slot/1/bypass") == .number(0))
        #expect(hub.tree.index(at: "/rack/recording/slot/1/delay/time") == place, "the delay is the same instance")
        try editor.restore(kept)
        #expect(edits.count == 1 && value("/rack/recording/title") == .text("back"))
    }

    @Test func layoutsAreLimitedBeforeAnythingIsBuilt() throws {
        let engine = try EngineHarness(TestFolder())
        let layout = "/rack/listener/1/layout"
        func rows(_ count: Int) -> String { "(" + String(repeating: "|", count: count - 1) + ")" }
        #expect(engine.send(layout, .string(rows(RackDescription.mostRows))) == .done)
        let before = engine.text(layout)
        for (text, reason) in [
            (rows(RackDescription.mostRows + 1), "at most 32 rows in parallel"), (rows(1000), "at most 32 rows in parallel"),
            (String(repeating: "( ) ", count: 33), "at most 32 rows in parallel"), (rows(60_000), "at most 1024 bytes, not 60001"),
            ((1...17).map(String.init).joined(separator: " "), "at most 16 slots"),
            (String(repeating: "7 ", count: 500), "at most 16 slots"), (String(repeating: "7 ", count: 30_000), "at most 1024 bytes"),
        ] {
            let reply = engine.send(layout, .string(text))
            guard case .refused(let words) = reply else { Issue.record("\(text.prefix(20)): \(reply)"); continue }
            #expect(words.contains(reason) && words.utf8.count < 500)
            #expect(engine.text(layout) == before)
        }
    }

    @Test func aNumberChoosesNothingFromAnEmptyList() throws {
        let folder = TestFolder()
        let engine = try EngineHarness(folder) { $0.presets = PresetFolder(folder: nil) }
        for argument in [Argument.int(0), .int(1), .float(-3), .string("dub")] {
            let reply = engine.send("/rack/listener/1/preset", argument)
            #expect(reply == .refused("/rack/listener/1/preset has nothing to choose from"))
        }
    }

    @Test func presetsAreOffered() {
        let root = OSCQueryNode.describe(hub.tree, path: "/rack/recording/preset", value: hub.value)
        #expect(root?.RANGE?.first??.VALS?.contains("dub") == true)
    }
}

extension RackDescription.Place {
    var rows: [[RackDescription.Slot]]? { if case .branches(let rows, _) = self { rows } else { nil } }
}
