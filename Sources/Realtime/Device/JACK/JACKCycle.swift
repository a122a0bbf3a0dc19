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
    // The ports' buffers in the current cycle, in the order of the ports.
    private let ears: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let array: JACKArrayGathering
    private let earPorts: UnsafeMutablePointer<OpaquePointer>
    private let inputPorts: UnsafeMutablePointer<OpaquePointer>
    private let earCount: Int
    private let inputCount: Int

    init(_ client: JACKClient, _ ports: JACKPorts, _ holder: RendererHolder<Renderer>, format: DeviceFormat) {
        self.client = client
        period = format.period
        nanosecondsPerFrame = 1e9 / Double(format.rate)
        renderer = LiveRenderer(holder, frames: period, rate: format.rate, listeners: ports.ears.count / 2)
        earCount = ports.ears.count
        inputCount = ports.inputs.count
        array = JACKArrayGathering(ports.array, frames: period)
        ears = .allocate(capacity: max(1, earCount))
        inputs = .allocate(capacity: max(1, inputCount))
        earPorts = .allocate(capacity: max(1, earCount))
        inputPorts = .allocate(capacity: max(1, inputCount))
        for (place, port) in ports.ears.enumerated() { (earPorts + place).initialize(to: port) }
        for (place, port) in ports.inputs.enumerated() { (inputPorts + place).initialize(to: port) }
        super.init(ports, rate: format.rate)
    }

    deinit {
        ears.deallocate()
        inputs.deallocate()
        earPorts.deallocate()
        inputPorts.deallocate()
    }

    override func process(_ frames: Int) {
        super.process(frames)
        let xruns = takeXruns()
        if xruns > 0 { renderer.count(xruns: xruns) }
        let begin = client.cycleBegin()
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

    private func note(limited count: Int) {
        if count > 0 { renderer.count(limited: count) }
    }

    private func render(_ place: Int, _ count: Int, _ time: BlockTime, _ captured: UInt64) {
        var recorded = RecordedBlock(time: captured)
        if inputCount == 2 {
            note(limited: rt_limit_samples(inputs[0] + place, count) + rt_limit_samples(inputs[1] + place, count))
            recorded.input = (UnsafePointer(inputs[0] + place), UnsafePointer(inputs[1] + place))
        }
        if array.count > 0, hasArray.isRaised {
            let samples = array.interleave(place, count)
            note(limited: rt_limit_samples(samples, count &* array.count))
            recorded.array = (UnsafePointer(samples), array.count)
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

    private func nanoseconds(_ frames: Int) -> UInt64 { UInt64(clamping: Int64(clamping: Double(frames) * nanosecondsPerFrame)) }

    /// Asks for the buffers of the current cycle.
    private func fetch(_ frames: Int) {
        for port in 0..<earCount {
            ears[port] = jack_port_get_buffer(earPorts[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
        for port in 0..<inputCount {
            inputs[port] = jack_port_get_buffer(inputPorts[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
        array.fetch(frames)
    }
}
