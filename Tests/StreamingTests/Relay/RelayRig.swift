import Streaming

/// A relay whose peers are driven by a test, with its own clock. Payloads are the numbers of the frames.
struct RelayRig {
    var relay = CameraRelay<UInt32>()
    /// Milliseconds.
    var now = 0.0
    private var numbers: [Int: UInt32] = [:]
    /// Frames that each receiver has got on its only link.
    private(set) var got: [Int: [UInt32]] = [:]

    /// - Parameter peers: from 1; all are connections without pairing.
    init(_ peers: Int) {
        for peer in 1...peers { join(peer) }
    }

    mutating func join(_ peer: Int, identity: String? = nil, isPaired: Bool = false, decodes: Set<RelayCodec> = [.vp8, .h264]) {
        relay.join(peer, identity: identity ?? "connection \(peer)", isPaired: isPaired, name: "Peer \(peer)", decodes: decodes)
    }

    mutating func offer(
        _ peer: Int, _ admission: RelayOffer.Admission = .everyone, named: Set<String> = [], stopped: Set<String> = []
    ) throws {
        try relay.offer(peer, RelayOffer(.camera, admission: admission, named: named, stopped: stopped), now: now)
    }

    /// Starts to receive; returns the number of the link.
    mutating func start(_ peer: Int, from sender: Int) throws -> Int {
        switch try relay.start(peer, from: sender, now: now) {
        case .opened(let link), .asked(let link): link
        }
    }

    /// Sends the next picture of a peer.
    mutating func send(_ peer: Int, _ kind: RelayFrame.Kind = .delta, bytes: Int = 1000, codec: RelayCodec = .vp8) throws {
        let number = (numbers[peer] ?? 0) + 1
        numbers[peer] = number
        let frame = RelayFrame(kind, codec: codec, number: number, width: 640, height: 360)
        try relay.push(peer, frame, bytes: bytes, now: now) { number }
    }

    /// Lets a receiver take what it may, and confirm it.
    mutating func receive(_ peer: Int, link: Int) throws -> [UInt32] {
        var taken: [UInt32] = []
        while let frame = relay.take(for: peer, now: now) {
            taken.append(frame)
            got[peer, default: []].append(frame)
            try relay.note(peer, RelayReceipt(link: link, frames: got[peer]?.count ?? 0), now: now)
        }
        return taken
    }

    /// The refusal of what is tried; nil when it is done.
    static func refusal(_ action: () throws -> Void) -> RelayRefusal.Kind? {
        do {
            try action()
            return nil
        } catch {
            return (error as? RelayRefusal)?.kind
        }
    }
}
