import Hub
import Parameters
import RenderInterface

@testable import OSCControl

/// A hub with objects behind a dispatcher, without sockets.
final class ADMRig {
    let tree: ParameterTree
    let hub: Hub
    let me = NetworkAddress(host: "192.0.2.7")!
    let other = NetworkAddress(host: "192.0.2.8")!
    /// Sent messages and their recipients.
    private(set) var sent: [(message: Message, to: NetworkAddress)] = []
    private(set) var log: [String] = []
    private(set) var edits: [Edit] = []
    /// Changes scheduled at the renderer.
    private(set) var scheduled: [TimedChange] = []
    private var producer: DatagramRing.Producer
    private var dispatcher: OSCDispatcher!

    init(objects: Int = 3) {
        tree = ParameterTree(listeners: 1, methods: ["nearest"], objects: objects)
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        let queue = DatagramRing(capacity: 1 << 16)
        producer = queue.producer
        dispatcher = OSCDispatcher(
            queue: queue.consumer, hub: hub, counters: OSCCounters(),
            send: { [unowned self] bytes, address in
                let messages = bytes.raw { try? OSCPacket.parse($0, receiveTime: 0) } ?? []
                sent += messages.map { ($0.message, address) }
            })
        hub.onLog = { [unowned self] text, _ in log.append(text) }
        hub.onEdit = { [unowned self] in edits.append($0) }
        hub.schedule = { [unowned self] in
            scheduled.append($0)
            return true
        }
    }

    /// Dispatches one message.
    /// - Parameter time: arrival time or due time, CLOCK_MONOTONIC nanoseconds.
    func send(_ address: String, _ arguments: Argument..., from sender: NetworkAddress? = nil, time: UInt64 = 1) {
        sent = []
        log = []
        edits = []
        scheduled = []
        let isTaken = OSCPacket.bytes(address, arguments).raw { producer.push($0, time: time, from: sender ?? me) }
        precondition(isTaken)
        while dispatcher.drain() {}
    }

    func send(_ address: String, _ numbers: [Float], time: UInt64 = 1) {
        switch numbers.count {
        case 1: send(address, .float(numbers[0]), time: time)
        case 2: send(address, .float(numbers[0]), .float(numbers[1]), time: time)
        default: send(address, .float(numbers[0]), .float(numbers[1]), .float(numbers[2]), time: time)
        }
    }

    /// Numbers in the reply to a query.
    func ask(_ address: String) -> [Float] {
        send(address)
        return sent.first?.message.arguments.compactMap(\.number) ?? []
    }

    func value(_ parameter: ObjectParameter, _ object: Int = 0) -> Float {
        hub.value(tree.index(parameter, object)).numbers[0]
    }

    /// Azimuth and elevation in degrees, distance in metres.
    func place(_ object: Int = 0) -> [Float] {
        [value(.azimuth, object), value(.elevation, object), value(.distance, object)]
    }

    func set(_ parameter: ObjectParameter, _ object: Int, _ value: Float) {
        hub.publish(tree.index(parameter, object), .number(value))
    }

    /// Sets the metres of a distance of 1.
    func unit(_ metres: Float) { hub.publish(tree.index(ObjectScale.unitDistance), .number(metres)) }
}

/// Whether two rows of numbers are equal within `tolerance`.
func near(_ one: [Float], _ other: [Float], _ tolerance: Float = 1e-4) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }
}
