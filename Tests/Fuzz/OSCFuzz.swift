import Hub
import OSCControl
import Parameters
import RenderInterface

/// Datagrams, parsed and handled by a hub, and a second time by the OSC dispatcher of the control thread. Messages that were
/// parsed can be written and parsed again without a change.
final class OSCFuzz: FuzzTarget {
    private let hub: Hub
    private let dispatcher: OSCDispatcher
    private var queue: DatagramRing.Producer
    /// Receives every value that changes.
    private let witness: Subscriber

    init() {
        let tree = ParameterTree(listeners: 1, trackers: 1, methods: ["nearest", "linear"])
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        witness = hub.subscribe {}
        _ = hub.listen(witness, to: "/")
        let ring = DatagramRing(capacity: 1 << 20)
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

    func run(_ bytes: UnsafeRawBufferPointer) {
        dispatch(bytes)
        guard let messages = try? OSCPacket.parse(bytes, receiveTime: 0) else { return }
        for (_, message) in messages {
            _ = hub.handle(message)
            _ = hub.readable(message.address)
            // Arguments other than numbers, texts and booleans cannot be written.
            let arguments = message.arguments.filter {
                switch $0 {
                case .other, .unreadable: false
                default: true
                }
            }
            let written = OSCPacket.bytes(message.address, arguments)
            let read = written.withUnsafeBytes { try? OSCPacket.parse($0, receiveTime: 0) }
            guard let again = read?.first?.message else {
                // liblo writes only addresses that begin with a slash.
                precondition(!message.address.hasPrefix("/"), "not parsed again: \(message.address)")
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
