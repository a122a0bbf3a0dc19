internal import CJACK
internal import CRealtime
internal import Crossing
internal import Render

/// A JACK client of its own that records a live array while another device plays.
// SAFETY: used by the thread that opens it, and then by the one that records; JACK's thread uses the cycle only.
final class JACKArray: RecordingSource, @unchecked Sendable {
    var numbers: [Int] { patch.channels }
    let period: Int
    private let client: JACKClient
    private let ports: JACKPorts
    private let cycle: JACKArrayCycle
    private let patch: JACKArrayPatch
    private var card: JACKPatch
    private var frames: FrameRing.Consumer
    private var stamps: Latest<LiveStamp>.Reader
    private var read: Int64 = 0
    private let block: UnsafeMutablePointer<Float>
    private let rate: Int

    /// Frames between two threads: four of JACK's longest cycles, because a user may change their length later.
    private static let capacity = 4 * 8192
    /// Nanoseconds between two checks for a block.
    private static let interval: UInt64 = 250_000
    /// Nanoseconds without a cycle after which the server counts as lost.
    private static let longestCycle: UInt64 = 400_000_000

    /// - Parameters:
    ///   - isWaiting: whether the array's sources may come later.
    ///   - wiring: connections of a former client, which are restored.
    /// - Throws: ``DeviceError`` when there is no server, it has another rate, or it does not have these channels.
    init(_ array: DeviceArray, rate: Int, isWaiting: Bool, wiring: JACKWiring) throws(DeviceError) {
        client = try JACKClient("vestibule-array")
        guard client.rate == rate else {
            throw DeviceError(
                "The JACK server runs at \(client.rate) frames per second, the engine at \(rate). Start the engine with --rate "
                    + "\(client.rate), or the server with -r \(rate).")
        }
        self.rate = rate
        period = client.cycle
        patch = try JACKArrayPatch(client, array, isWaiting: isWaiting)
        let count = patch.channels.count
        ports = try JACKPorts(client, listeners: 0, hasInput: false, microphones: count)
        card = JACKPatch(client, ports, outputs: nil, array: patch, wiring: wiring)
        let ring = FrameRing(channels: count, capacity: Self.capacity)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        cycle = JACKArrayCycle(client, ports, frames: ring.producer, stamps: stamps.writer, period: period, rate: rate)
        frames = ring.consumer
        self.stamps = stamps.reader
        block = .allocate(capacity: period * count)
        guard client.activate(cycle) else { throw DeviceError("The JACK server did not activate the client of the array.") }
    }

    deinit {
        if !cycle.hasEnded { client.deactivate() }
        client.close()
        block.deallocate()
    }

    func next() -> ArrayBlock {
        if cycle.hasEnded { return .failure(DeviceError("The JACK server of the array has ended.")) }
        if let rate = cycle.newRate {
            return .failure(
                DeviceError("The JACK server of the array runs at \(rate) frames per second now, instead of \(self.rate)."))
        }
        guard rt_now() < cycle.newestCycle + Self.longestCycle else {
            return .failure(DeviceError("The JACK server no longer runs the client of the array."))
        }
        _ = card.turn(cycle)
        guard frames.available >= period else {
            realtime_sleep_until(rt_now() + Self.interval)
            return .nothing
        }
        guard frames.available <= frames.capacity - period else {
            // The reader has paused for a while, and frames are missing.
            read += Int64(frames.available)
            frames.skip(frames.available)
            return .gap
        }
        let stamp = stamps.read()
        read += Int64(frames.read(block, frames: period))
        let ahead = Int64(clamping: Double(stamp.frame - read) * 1e9 / Double(rate))
        return .frames(UnsafePointer(block), end: UInt64(clamping: Int64(clamping: stamp.time) - ahead))
    }
}

/// Recording of JACK's cycles into a ring. On JACK's process thread.
// SAFETY: apart from the callbacks' atomics, used by the process thread only, and by the initialiser before.
final class JACKArrayCycle: JACKCallbacks, @unchecked Sendable {
    private let client: JACKClient
    private var frames: FrameRing.Producer
    private var stamps: Latest<LiveStamp>.Writer
    private let period: Int
    private let nanosecondsPerFrame: Double
    private let gathering: JACKArrayGathering
    /// Frames written so far.
    private var written: Int64 = 0

    init(
        _ client: JACKClient, _ ports: JACKPorts, frames: consuming FrameRing.Producer, stamps: consuming Latest<LiveStamp>.Writer,
        period: Int, rate: Int
    ) {
        self.client = client
        self.frames = frames
        self.stamps = stamps
        self.period = period
        nanosecondsPerFrame = 1e9 / Double(rate)
        gathering = JACKArrayGathering(ports.array, frames: period)
        super.init(ports, rate: rate)
    }

    override func process(_ count: Int) {
        super.process(count)
        guard hasArray.isRaised else { return }
        let begin = client.cycleBegin()
        gathering.fetch(count)
        var done = 0
        while done < count {
            let part = min(period, count - done)
            written += Int64(frames.write(gathering.interleave(done, part), frames: part))
            done += part
        }
        // The current cycle holds the frames up to its beginning; their age is the capture latency beyond one cycle.
        let late = Double(max(captureLatency, count) - count) * nanosecondsPerFrame
        stamps.publish(LiveStamp(frame: written, time: begin - min(begin, UInt64(clamping: Int64(clamping: late)))))
    }
}

/// The frames of a live array, gathered from its ports. On JACK's process thread.
// SAFETY: used by the process thread only, and by the initialiser before.
final class JACKArrayGathering: @unchecked Sendable {
    let count: Int
    private let ports: UnsafeMutablePointer<OpaquePointer>
    /// The ports' buffers in the current cycle.
    private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>

    /// - Parameter frames: largest number of frames that are gathered at once.
    init(_ ports: [OpaquePointer], frames: Int) {
        count = ports.count
        self.ports = .allocate(capacity: max(1, count))
        buffers = .allocate(capacity: max(1, count))
        samples = .allocate(capacity: max(1, count * frames))
        for (place, port) in ports.enumerated() { (self.ports + place).initialize(to: port) }
    }

    deinit {
        ports.deallocate()
        buffers.deallocate()
        samples.deallocate()
    }

    /// Asks for the buffers of the current cycle.
    func fetch(_ frames: Int) {
        for port in 0..<count {
            buffers[port] = jack_port_get_buffer(ports[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
    }

    /// Interleaved frames from a place in the cycle on.
    func interleave(_ place: Int, _ frames: Int) -> UnsafeMutablePointer<Float> {
        for port in 0..<count {
            let buffer = buffers[port] + place
            for frame in 0..<frames { samples[frame &* count &+ port] = buffer[frame] }
        }
        return samples
    }
}
