import Hub
import Parameters
import RenderInterface
import Testing

/// Edits: the changes that a client's message makes to session values.
@Suite struct EditTests {
    let tree = ParameterTree(listeners: 3, methods: ["nearest", "linear"])
    let hub: Hub

    init() {
        hub = Hub(store: ParameterStore(tree)) { pattern, address in
            pattern == "/listener/*/gain" && address.hasSuffix("/gain") && address.hasPrefix("/listener")
        }
    }

    func send(_ address: String, _ arguments: Argument..., from sender: Subscriber? = nil) {
        hub.handle(Message(address: address, arguments: arguments, receiveTime: 0), from: sender)
    }

    @Test func eachMessageIsReportedOnceWithAllItsChanges() {
        var edits: [Edit] = []
        hub.onEdit = { edits.append($0) }
        let client = hub.subscribe {}
        send("/listener/*/gain", .float(-3), from: client)
        send("/listener/1/gain", .float(-3), from: client)  // No change.
        send("/listener/1/gain", .string("loud"), from: client)
        send("/listener/1/gain", .float(99), from: client)  // Clamped.
        #expect(
            edits.map { $0.changes.map(\.address) } == [
                ["/listener/1/gain", "/listener/2/gain", "/listener/3/gain"], ["/listener/1/gain"],
            ])
        #expect(edits.last?.changes.first?.before == .number(-3) && edits.last?.changes.first?.after == .number(12))
        #expect(edits.first?.origin == .client(ObjectIdentifier(client)))
    }

    @Test func changesMadeByHandlersBelongToTheMessage() {
        var edits: [Edit] = []
        hub.onEdit = { edits.append($0) }
        let front = tree.index(ListenerParameter.front)
        hub.onSet(tree.index(ListenerParameter.recenter)) { [hub] _, _ in
            hub.publish(front, .number(20))
            hub.handle(Message(address: "/listener/2/front", arguments: [.float(5)], receiveTime: 0))
            hub.publish(front, .number(30))
        }
        hub.handle(Message(address: "/listener/1/recenter", arguments: [], receiveTime: 0, sender: .nowhere))
        #expect(edits.count == 1 && edits[0].origin == .address(.nowhere))
        #expect(edits.first?.changes.map(\.address) == ["/listener/1/front", "/listener/2/front"])
        #expect(edits.first?.changes.first?.before == .number(0) && edits.first?.changes.first?.after == .number(30))
    }

    @Test func posesMetersAndTheProgramsOwnChangesAreNotEdits() {
        var edits = 0
        hub.onEdit = { _ in edits += 1 }
        let client = hub.subscribe {}
        send("/listener/1/ypr", .float(1), .float(2), .float(3), from: client)
        hub.publish(tree.index(EngineParameter.load), .number(0.5))
        #expect(edits == 0 && !hub.isTouched)
        send("/listener/1/gain", .float(-3))
        #expect(edits == 0 && hub.isTouched, "the program's own changes are saved, but cannot be undone")
        #expect(!hub.markEdit())
        hub.onSet(tree.index(TransportParameter.play)) { [hub] _, _ in hub.markEdit() }
        send("/transport/play", from: client)
        #expect(edits == 1, "a marked message is reported without a changed value")
    }
}
