import Crossing
import Hub
import OSCControl
import Parameters

/// Datagrams, taken apart and handled by a hub, and once more by the control thread's end of the OSC port. What can be
/// read can be written and read again as the same.
final class OSCFuzz: FuzzTarget {
    private let hub: Hub
    private let dispatcher: OSCDispatcher
    private var queue: RecordRing.Producer
    /// Hears of every value that changes.
    private let witness: Subscriber

    init() {
        let tree = ParameterTree(listeners: 1, trackers: 1, methods: ["nearest", "linear"])
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        witness = hub.subscribe {}
        _ = hub.listen(witness, to: "/")
        let ring = RecordRing(capacity: 1 << 20)
        queue = ring.producer
        dispatcher = OSCDispatcher(queue: ring.consumer, hub: hub, counters: OSCCounters())
    }

    private func dispatch(_ bytes: UnsafeRawBufferPointer) {
        guard let elements = try? OSCPacket.elements(bytes) else { return }
        for element in elements {
            precondition(queue.push(UnsafeRawBufferPointer(rebasing: bytes[element.range]), time: 0))
            while dispatcher.drain() {}
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) {
        dispatch(bytes)
        guard let messages = try? OSCPacket.parse(bytes, receiveTime: 0) else { return }
        for (_, message) in messages {
            _ = hub.handle(message)
            _ = hub.readable(message.address)
            // What is no number, text or truth has no form to be written in.
            let arguments = message.arguments.filter { if case .other = $0 { false } else { true } }
            let written = OSCPacket.bytes(message.address, arguments)
            let read = written.withUnsafeBytes { try? OSCPacket.parse($0, receiveTime: 0) }
            guard let again = read?.first?.message else {
                // liblo writes no address that does not begin with a slash.
                precondition(!message.address.hasPrefix("/"), "not read again: \(message.address)")
                continue
            }
            precondition(again.address == message.address && again.arguments.count == arguments.count)
        }
        for slot in witness.takePending() {
            let node = hub.tree.nodes[slot]
            guard node.spec.isScalar else { continue }
            let value = hub.value(slot).numbers[0]
            precondition(node.spec.range.contains(value), "\(node.address) is \(value)")
        }
    }
}
