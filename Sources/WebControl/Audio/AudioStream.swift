public import Crossing

/// The sound of one listener in packets of 10 ms, for the clients of `/audio/N`.
///
/// Used on the control thread. Without clients nothing is encoded, and the audio thread delivers nothing.
public final class AudioStream {
    /// The listener's number, from 1.
    public let listener: Int
    private let rate: Int
    private let frames: Int
    private var source: FrameRing.Consumer
    private let position: () -> Int64
    private let hear: (Int) -> Void
    private var encoder: any PacketEncoder
    private var clients: [ObjectIdentifier: AudioClient] = [:]
    private var samples: [Float]
    private var number: UInt32 = 0
    /// The engine's sample count at the next frame to read; nil after a discontinuity, until the next frame.
    private var next: Int64?

    /// - Parameters:
    ///   - listener: from 1.
    ///   - rate: frames per second.
    ///   - source: two channels, written by the audio thread while the stream is wanted.
    ///   - position: the engine's sample count after the last frame that was written to `source`. The audio thread
    ///     stores it after writing the frames, so that it is never ahead of them.
    ///   - hear: called with the number of clients whenever it changes.
    public init(
        listener: Int, rate: Int, source: consuming FrameRing.Consumer, position: @escaping () -> Int64,
        hear: @escaping (Int) -> Void, encoder: any PacketEncoder = PCM16Encoder()
    ) {
        self.listener = listener
        self.rate = rate
        self.source = source
        self.position = position
        self.hear = hear
        self.encoder = encoder
        frames = max(1, rate / 100)
        samples = .init(repeating: 0, count: 2 * frames)
    }

    /// The first frame of every client.
    /// - Parameter token: of a client with a listener of its own.
    func hello(token: String? = nil) -> String {
        "{\"rate\":\(rate),\"channels\":2,\"frames\":\(frames),\"listener\":\(listener),"
            + (token.map { "\"token\":\"\($0)\"," } ?? "") + "\"format\":\"\(encoder.format)\"}"
    }

    func join(_ client: AudioClient) {
        let isFirst = clients.isEmpty
        clients[ObjectIdentifier(client)] = client
        if isFirst { discard() }  // Frames that were left when the last client disconnected.
        hear(clients.count)
    }

    func leave(_ client: AudioClient) {
        guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
        hear(clients.count)
    }

    /// Sends every whole packet that has arrived.
    func pump() {
        guard !clients.isEmpty else { return }
        locate()
        while let start = next, source.available >= frames {
            _ = read()
            let packet = WireFrame(binary: packet(start))
            for client in clients.values { client.push(packet) }
            next = start + Int64(frames)
            number &+= 1
        }
    }

    /// Finds the ring's position in time, and whether the audio thread had to drop frames.
    private func locate() {
        let before = position()
        let available = Int64(source.available)
        // When a block was written in between, the two numbers do not match. The next round will do.
        guard available > 0, position() == before else { return }
        let first = before - available
        guard let expected = next else {
            next = first
            return
        }
        guard first > expected else { return }
        // Frames are missing somewhere in the ring. All are discarded, so that no packet spans the gap.
        discard()
        number &+= 1
    }

    private func discard() {
        while read() == frames {}
        next = nil
    }

    private func read() -> Int {
        samples.withUnsafeMutableBufferPointer { memory in source.read(memory.baseAddress!, frames: frames) }
    }

    private func packet(_ start: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + 4 * frames)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(frames).littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(bitPattern: start).littleEndian) { bytes.append(contentsOf: $0) }
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        return bytes
    }
}
