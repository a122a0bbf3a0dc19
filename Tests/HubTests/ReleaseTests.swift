import Hub
import Parameters
import RenderInterface
import Testing

/// Actions act when a button is pressed, and not when it is released.
@Suite struct ReleaseTests {
    static let tree = ParameterTree(
        listeners: 2, network: 1, trackers: 2, methods: ["nearest", "linear"], effects: ["delay"], presets: ["hall"], cues: ["gong"],
        objects: 2,
        mappings: 2, cueList: 2)
    static let releases: [[Argument]] = [
        [.int(0)], [.float(0)], [.float(-0.0)], [.double(0)], [.bool(false)], [.string("0")], [.string("0.0")], [.string("false")],
        [.float(0), .float(0)],
    ]
    static let presses: [[Argument]] = [
        [], [.other], [.int(1)], [.int(5)], [.float(1)], [.float(0.01)], [.float(-1)], [.double(127)], [.bool(true)], [.string("1")],
        [.string("")],
    ]

    /// A hub that counts what acts, by address.
    private func counting(_ count: @escaping (String) -> Void) -> Hub {
        let hub = Hub(store: ParameterStore(Self.tree)) { pattern, address in pattern == "/transport/*" && address.hasPrefix("/transport/")
        }
        for node in Self.tree.nodes where node.spec.kind == .impulse && node.spec.access == .write {
            hub.onSet(node.index) { _, _ in count(node.address) }
        }
        return hub
    }

    private func message(_ address: String, _ arguments: [Argument]) -> Message {
        Message(address: address, arguments: arguments, receiveTime: 0)
    }

    @Test func noActionOfTheTreeActsAtARelease() {
        var acted: [String] = []
        let hub = counting { acted.append($0) }
        var notices: [String] = []
        hub.onLog = { text, _ in notices.append(text) }
        let actions = Self.tree.nodes.filter { $0.spec.kind == .impulse && $0.spec.access == .write && !$0.address.isEmpty }.map(\.address)
        #expect(actions.count > 40)
        for address in actions {
            for arguments in Self.releases { #expect(hub.handle(message(address, arguments)) == .done, "\(address)") }
            #expect(acted.isEmpty, "\(acted)")
            for arguments in Self.presses { #expect(hub.handle(message(address, arguments)) == .done, "\(address)") }
            #expect(acted == Array(repeating: address, count: Self.presses.count))
            acted = []
        }
        #expect(notices.isEmpty)
    }

    /// A pattern is released like an address; the arguments of everything else are data.
    @Test func onlyActionsAreReleased() throws {
        var acted: [String] = []
        let hub = counting { acted.append($0) }
        hub.handle(message("/transport/*", [.float(0)]))
        #expect(acted.isEmpty)
        hub.handle(message("/transport/*", [.float(1)]))
        #expect(Set(acted) == ["/transport/play", "/transport/pause", "/transport/stop"])
        var fired: [String] = []
        hub.onSet(hub.tree.index(CueListParameter.fire)) { value, _ in fired.append(value.text ?? "") }
        hub.handle(message("/cue-list/fire", [.int(0)]))
        #expect(fired == ["0"])
        for node in Self.tree.nodes where node.spec.kind != .impulse {
            #expect(Self.releases.allSatisfy { !node.spec.isRelease($0) }, "\(node.address)")
        }
    }

    private final class Reading: PendingWork {
        var isDone = false
        var isGivenUp = false
        var limit: UInt64 { 30_000_000_000 }
        func use(_ handler: () -> Void) { handler() }
        func giveUp() { isGivenUp = true }
    }

    /// The release comes while the press still waits for its file: it neither replaces the press nor acts after it.
    @Test func aReleaseDoesNotReplaceItsPress() {
        var acted: [String] = []
        let hub = counting { acted.append($0) }
        let client = hub.subscribe {}
        let index = hub.tree.index(SessionParameter.revert)
        var readings: [Reading] = []
        hub.onNeed(index) { _, _ in
            readings.append(Reading())
            return readings.last
        }
        hub.handle(message("/session/revert", [.float(1)]), from: client)
        hub.handle(message("/session/revert", [.float(0)]), from: client)
        #expect(readings.count == 1 && readings.first?.isGivenUp == false && acted.isEmpty)
        readings.first?.isDone = true
        hub.settle(now: 1)
        #expect(acted == ["/session/revert"] && readings.count == 1 && !hub.isWaiting)
    }

    /// A switch is on from 0.5 upwards; a number between 0 and 1 is not reported as out of range.
    @Test func switchesAreOnFromOneHalf() {
        let hub = counting { _ in }
        let mute = hub.tree.index(ListenerParameter.mute)
        for (number, isOn) in [(0.5, 1), (0.49, 0), (0.75, 1), (0, 0), (1, 1)] as [(Float, Float)] {
            #expect(hub.handle(message("/listener/1/mute", [.float(number)])) == .done)
            #expect(hub.value(mute) == .number(isOn), "\(number)")
        }
        #expect(hub.handle(message("/listener/1/mute", [.float(127)])).text == "/listener/1/mute: 127 is outside 0 to 1; 1 was set")
    }
}
