internal import CJACK
internal import CRealtime
internal import Render

/// Rendering of JACK's cycles, whatever their length, in blocks of at most the renderer's period. On JACK's process thread.
// SAFETY: apart from the callbacks' atomics, used by the process thread only, and by the initialiser before.
final class JACKCycle<Renderer: BlockRenderer & ~Copyable>: JACKCallbacks, @unchecked Sendable {
    private var renderer: LiveRenderer<Renderer>
    private let client: JACKClient
    private let period: Int
    private let nanosecondsPerFrame: Double
    // The ports' buffers in the present cycle, in the order of the ports.
    private let ears: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let microphones: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Interleaved frames of the live array.
    private let array: UnsafeMutablePointer<Float>
    private let earPorts: UnsafeMutablePointer<OpaquePointer>
    private let inputPorts: UnsafeMutablePointer<OpaquePointer>
    private let arrayPorts: UnsafeMutablePointer<OpaquePointer>
    private let earCount: Int
    private let inputCount: Int
    private let arrayCount: Int

    init(_ client: JACKClient, _ ports: JACKPorts, _ slot: RendererSlot<Renderer>, format: DeviceFormat) {
        self.client = client
        period = format.period
        nanosecondsPerFrame = 1e9 / Double(format.rate)
        renderer = LiveRenderer(slot, frames: period, rate: format.rate, listeners: ports.ears.count / 2)
        earCount = ports.ears.count
        inputCount = ports.inputs.count
        arrayCount = ports.array.count
        ears = .allocate(capacity: max(1, earCount))
        inputs = .allocate(capacity: max(1, inputCount))
        microphones = .allocate(capacity: max(1, arrayCount))
        array = .allocate(capacity: max(1, arrayCount * period))
        earPorts = .allocate(capacity: max(1, earCount))
        inputPorts = .allocate(capacity: max(1, inputCount))
        arrayPorts = .allocate(capacity: max(1, arrayCount))
        for (place, port) in ports.ears.enumerated() { (earPorts + place).initialize(to: port) }
        for (place, port) in ports.inputs.enumerated() { (inputPorts + place).initialize(to: port) }
        for (place, port) in ports.array.enumerated() { (arrayPorts + place).initialize(to: port) }
        super.init(ports, rate: format.rate)
    }

    deinit {
        ears.deallocate()
        inputs.deallocate()
        microphones.deallocate()
        array.deallocate()
        earPorts.deallocate()
        inputPorts.deallocate()
        arrayPorts.deallocate()
    }

    override func process(_ frames: Int) {
        super.process(frames)
        let xruns = takeXruns()
        if xruns > 0 { renderer.count(xruns: xruns) }
        let begin = cycleBegin()
        let output = begin + nanoseconds(max(playbackLatency, frames))
        let captured = begin - min(begin, nanoseconds(max(captureLatency, frames)))
        fetch(frames)
        var done = 0
        while done < frames {
            let count = min(period, frames - done)
            render(done, count, BlockTime(begin: rt_now(), output: output + nanoseconds(done)), captured + nanoseconds(done))
            done += count
        }
    }

    private func render(_ place: Int, _ count: Int, _ time: BlockTime, _ captured: UInt64) {
        var recorded = RecordedBlock(time: captured)
        if inputCount == 2 {
            _ = rt_limit_samples(inputs[0] + place, count)
            _ = rt_limit_samples(inputs[1] + place, count)
            recorded.input = (UnsafePointer(inputs[0] + place), UnsafePointer(inputs[1] + place))
        }
        if arrayCount > 0, hasArray.isRaised {
            interleave(place, count)
            recorded.array = (UnsafePointer(array), arrayCount)
        }
        renderer.render(recorded, frames: count, at: time)
        let rendered = 2 * renderer.ears.listeners
        for port in 0..<earCount {
            if port < rendered {
                rt_copy(ears[port] + place, renderer.ears.row(port), count)
            } else {
                (ears[port] + place).update(repeating: 0, count: count)
            }
        }
    }

    /// Gathers the frames of the array from its ports.
    private func interleave(_ place: Int, _ count: Int) {
        for port in 0..<arrayCount {
            let samples = microphones[port] + place
            for frame in 0..<count { array[frame &* arrayCount &+ port] = samples[frame] }
        }
        _ = rt_limit_samples(array, count &* arrayCount)
    }

    /// Time at which the present cycle began, CLOCK_MONOTONIC nanoseconds. JACK's own clock is another one, so only its differences count.
    private func cycleBegin() -> UInt64 {
        var (frames, begin, next, duration) = (jack_nframes_t(), jack_time_t(), jack_time_t(), Float())
        guard jack_get_cycle_times(client.client, &frames, &begin, &next, &duration) == 0 else { return rt_now() }
        let now = rt_now()
        // The server smooths the times of its cycles, so that one may begin after the present.
        let age = Int64(bitPattern: jack_get_time() &- begin)
        return UInt64(clamping: Int64(clamping: now) - 1000 * min(max(age, -1_000_000), 1_000_000))
    }

    private func nanoseconds(_ frames: Int) -> UInt64 { UInt64(clamping: Int64(clamping: Double(frames) * nanosecondsPerFrame)) }

    /// Asks for the buffers of the present cycle.
    private func fetch(_ frames: Int) {
        for port in 0..<earCount {
            ears[port] = jack_port_get_buffer(earPorts[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
        for port in 0..<inputCount {
            inputs[port] = jack_port_get_buffer(inputPorts[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
        for port in 0..<arrayCount {
            microphones[port] = jack_port_get_buffer(arrayPorts[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
    }
}
