import Crossing
import Streaming

@testable import Cameras
@testable import Web

/// Peers of the camera relay, one of which sounds at an object: messages, frames, small pictures and receipts, whole ones and any bytes.
/// Nothing reaches a peer over a link that is not open, what waits stays limited, and decoded sound stays within its range.
///
/// An input is a list of steps: the peer and the kind of the step, a number, the count of the bytes that follow, and these.
final class CameraFuzz: FuzzTarget {
    private static let peers = 4
    private static let mostSteps = 200

    private let service = CameraService(most: peers, hears: true) { _, _ in }
    private var sound: FrameRing.Consumer?
    private var lastNumber = 0
    private let block = UnsafeMutablePointer<Float>.allocate(capacity: 1024)

    init() {
        service.receiveSound(of: "A", for: 0, rate: 48_000, period: 128, floor: 5) { frames, _ in sound = consume frames }
    }

    private func clients() -> [CameraClient] {
        (0..<Self.peers).map { _ in
            lastNumber += 1
            return CameraClient(
                service, number: lastNumber, pairedClient: lastNumber % 3 == 0 ? "paired" : nil, mayControl: lastNumber % 2 == 0, wake: {})
        }
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let clients = clients()
        for (client, name) in zip(clients, ["A", "B", "A", ""]) {
            let hello = "{\"type\":\"hello\",\"version\":1,\"name\":\"\(name)\",\"decodes\":[\"vp8\",\"av1\"]}"
            client.receive(Array(hello.utf8), isText: true)
        }
        var (at, steps) = (0, 0)
        while at + 3 <= bytes.count, steps < Self.mostSteps {
            let (choice, number, length) = (Int(bytes[at]), Int(bytes[at + 1]), Int(bytes[at + 2]))
            let content = Array(bytes[(at + 3)..<min(bytes.count, at + 3 + length)])
            at += 3 + length
            steps += 1
            let client = clients[choice % Self.peers]
            switch choice / Self.peers % 4 {
            case 0: client.receive(content, isText: true)
            case 1: client.receive(content, isText: false)
            case 2: client.receive(Array(message(number, content, client.number).utf8), isText: true)
            default: client.receive(frame(number, content), isText: false)
            }
            if choice >= 128 { clients.forEach(drain) }
        }
        clients.forEach(drain)
        check()
        for client in clients { client.close() }
        precondition(service.figures.peers == 0 && service.figures.open == 0 && service.figures.asking == 0)
    }

    /// A message of the protocol, about one of the peers or one of the latest links.
    private func message(_ number: Int, _ content: [UInt8], _ own: Int) -> String {
        let peer = lastNumber - Int(content.first ?? 0) % (Self.peers + 1)
        let link = max(0, (service.relay.readings(of: nil, now: service.now).last?.link ?? 0) - Int(content.first ?? 0) % 4)
        let source = ["camera", "screen", "microphone"][number / 10 % 3]
        let admission = ["everyone", "ask", "named"][number / 30 % 3]
        switch number % 10 {
        case 0, 1:
            let codecs = source == "microphone" ? "" : "\"codecs\":[\"vp8\",\"h264\",\"av1\"],"
            let choices = "\"source\":\"\(source)\",\"sound\":\(number % 2 == 0),\(codecs)\"admit\":\"\(admission)\""
            return "{\"type\":\"update\",\(choices),\"named\":[\"engine\"]}"
        case 2, 3: return "{\"type\":\"start\",\"sender\":\(peer)}"
        case 4: return "{\"type\":\"allow\",\"link\":\(link)}"
        case 5: return "{\"type\":\"deny\",\"link\":\(link)}"
        case 6: return "{\"type\":\"stop\",\"link\":\(link)}"
        case 7: return number > 128 ? "{\"type\":\"links\",\"all\":\(number % 4 < 2)}" : "{\"type\":\"stop\"}"
        case 8: return "{\"type\":\"pardon\",\"peer\":\(number > 128 ? 0 : peer)}"
        default: return "{\"type\":\"key\",\"link\":\(link)}"
        }
    }

    /// A frame with a header, a small picture or a receipt.
    private func frame(_ number: Int, _ content: [UInt8]) -> [UInt8] {
        let kind = UInt8(number % 5 + 1)
        guard kind < 5 else {
            let link = UInt8(truncatingIfNeeded: service.relay.readings(of: nil, now: service.now).last?.link ?? 0)
            return [RelayReceipt.mark, 0, 0, 0, link, 0, 0, 0, UInt8(number / 5), 0, 0, 0, 0, 0, 0, 0]
        }
        let codec: UInt8 = kind == 3 ? 16 : kind == 4 ? 32 : UInt8(number / 64 % 3 + 1)
        let size: [UInt8] = kind == 3 ? [0, 0, 0, 0] : [64, 0, 48, 0]
        let counted = content.first ?? 0
        return [kind, codec, 0, 0, 0, 0, 0, 0, counted, 0, 0, 0] + size + [UInt8](repeating: 0, count: 8)
            + (kind == 4 ? [0xFF, 0xD8] : []) + content
    }

    /// Takes everything that waits for a client.
    private func drain(_ client: CameraClient) {
        var frames = 0
        while client.hasMore, let frame = client.nextFrame() {
            frames += 1
            precondition(frames < 64 + 2 + Self.peers * (1 + FrameBucket<WireFrame>.pictures + FrameBucket<WireFrame>.sounds))
            let content = frame.bytes(from: 0)
            guard let kind = content.first, (1...3).contains(kind) else { continue }
            let sender = (0..<4).reduce(0) { $0 | Int(content[RelayFrame.senderOffset + $1]) << (8 * $1) }
            let senders = service.relay.roster.first { $0.peer == client.number }?.senders ?? []
            precondition(senders.contains(sender), "a frame of peer \(sender) reached peer \(client.number), which receives \(senders)")
        }
    }

    private func check() {
        let figures = service.figures
        precondition(figures.open + figures.asking <= Self.peers * Self.peers)
        let count = sound?.read(block, frames: 1024) ?? 0
        for frame in 0..<count { precondition(abs(block[frame]) < 2, "a sample is \(block[frame])") }
    }
}
