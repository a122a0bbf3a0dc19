import Crossing
import Streaming

@testable import ListenerStreams
@testable import Web

/// Messages of clients on audio sockets, one a line, to the clients of two listeners and of two encodings; times and reports arrive
/// truncated, repeated, out of order, and at the wrong client. Encodings stay within their bounds, and what waits stays limited.
///
/// The first byte of a line selects the client, and whether time passes or a packet comes before the message.
final class StreamFuzz: FuzzTarget {
    private let streams: [AudioStream]
    /// Milliseconds.
    private var now = 0.0

    init() {
        streams = (1...2).map(Self.stream)
    }

    private static func stream(_ listener: Int) -> AudioStream {
        let ring = FrameRing(channels: 2, capacity: 4096)
        return AudioStream(listener: listener, rate: 48_000, source: ring.consumer, position: { 0 }, hear: { _, _ in })
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        var settings = StreamSettings()
        settings.groups = [2: 150]
        var wishes = StreamRequest()
        wishes.format = "opus"
        let clients = streams.flatMap { stream in
            [StreamRequest?.none, wishes].map { AudioClient(stream, token: "0", wishes: $0, settings: settings, wake: {}) }
        }
        var clock = StreamClock()
        clock.note(end: 0, rate: 48_000, now: now)
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(200) {
            let first = line.first ?? 0
            let client = clients[Int(first) % clients.count]
            now += Double(first >> 3)
            for each in clients { each.tick(now, clock) }
            if first & 4 != 0 { client.push(WireFrame(binary: Array(line)), now: now) }
            client.receive(Array(line.dropFirst()), isText: first < 0xF0)
            for each in clients { check(each) }
        }
        for client in clients {
            var frames = 0
            while client.hasMore, client.nextFrame() != nil { frames += 1 }
            precondition(frames <= 64 + AudioClient.mostPackets, "\(frames) frames wait")
            client.close()
        }
        precondition(streams.allSatisfy { $0.clients.isEmpty })
    }

    private func check(_ client: AudioClient) {
        let encoding = client.encoding
        precondition(StreamEncoding.lengths.contains(encoding.milliseconds))
        precondition(encoding.codec == .plain || StreamEncoding.bitrates.contains(encoding.bitrate))
        guard let state = client.statistics else { return }
        precondition(state.roundTrip.isFinite && state.slope.isFinite && state.overflow >= 0 && state.changes >= 0)
        let report = state.report
        precondition([report.concealed, report.buffer, report.target, report.drift].allSatisfy(\.isFinite))
        precondition([report.packets, report.late, report.lost, report.refused].allSatisfy { $0 >= 0 })
    }
}
