import DSP
import Hub
import OSCControl
import Parameters
import RenderInterface
import TestSupport
import Testing

/// The dispatcher's cache of addresses does not change the result: every message has the effect that it has at the hub.
@Suite struct DispatchTests {
    private final class Record {
        var lines: [String] = []
    }

    private func record(_ hub: Hub) -> Record {
        let record = Record()
        hub.onLog = { text, _ in record.lines.append(text) }
        hub.onEdit = { edit in
            record.lines.append("\(edit.message.address) \(edit.origin): \(edit.changes.map { "\($0.address) \($0.before) \($0.after)" })")
        }
        hub.onSet(hub.tree.index(ListenerParameter.front)) { value, _ in record.lines.append("front \(value)") }
        return record
    }

    @Test func dispatcherAndHubAgreeOnEveryMessage() throws {
        var random = SeededRandom()
        let tree = ParameterTree(listeners: 3, trackers: 2, methods: ["nearest", "linear"])
        let (one, other) = (
            Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches),
            Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        )
        let (seen, expected) = (record(one), record(other))
        let queue = DatagramRing(capacity: 1 << 16)
        var producer = queue.producer
        let dispatcher = OSCDispatcher(queue: queue.consumer, hub: one, counters: OSCCounters())
        let (sender, witness) = (NetworkAddress(host: "192.0.2.7")!, one.subscribe {})
        let otherWitness = other.subscribe {}
        _ = (one.listen(witness, to: "/"), other.listen(otherWitness, to: "/"))
        var transient: [[Int]] = [[], []]

        let addresses = tree.nodes.filter { $0.spec.access != .read }.map(\.address) + ["/transient", "/listener/*/gain", "/nothing/here"]
        let noticeTime = tree.index(EngineParameter.noticeTime)
        for round in 0..<20_000 {
            if round % 1000 == 500 {
                // Another parameter gets a reused index.
                let spec = tree.nodes[tree.index(round % 2000 == 500 ? ListenerParameter.gain : .method)].spec
                for (i, hub) in [one, other].enumerated() {
                    transient[i] = hub.exchange(transient[i], for: [.init("/transient", spec, spec.initial)])
                }
            }
            let address = addresses[Int(random.next() % UInt64(addresses.count))]
            let number = Float(Int(random.next() % 400)) / 8 - 20
            let argument: Argument? =
                switch random.next() % 12 {
                case 0: .int(Int32(number))
                case 1: .bool(number > 0)
                case 2: .string("linear")
                case 3: .float(.nan)
                case 4: .float(.infinity)
                case 5: nil
                default: .float(number)
                }
            // An address without arguments is a query, which the hub does not handle.
            guard let argument else { continue }
            let message = Message(address: address, arguments: [argument], receiveTime: UInt64(round), sender: sender)
            OSCPacket.bytes(address, [argument]).withUnsafeBytes { bytes in
                let isTaken = producer.push(bytes, time: UInt64(round), from: sender)
                #expect(isTaken)
            }
            while dispatcher.drain() {}
            other.handle(message)
            // The time of a notice is the clock's: both hubs have it, a moment apart.
            let (first, second) = (witness.takePending(), otherWitness.takePending())
            #expect(first.filter { $0 != noticeTime } == second.filter { $0 != noticeTime }, "\(message)")
        }
        #expect(seen.lines == expected.lines)
        #expect(seen.lines.count > 5000)
        #expect(one.value(noticeTime).text?.isEmpty == false && other.value(noticeTime).text?.isEmpty == false)
        for slot in one.tree.nodes.indices where slot != noticeTime {
            #expect(one.value(slot) == other.value(slot), "\(one.tree.nodes[slot].address)")
        }
    }
}
