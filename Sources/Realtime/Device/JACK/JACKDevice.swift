internal import CJACK
internal import CRealtime
public import Render
internal import Synchronization

/// A client of a JACK server, or of PipeWire by its JACK library.
///
/// The server sets rate and period. JACK's thread renders; a thread of the device's own watches the server and connects the ports.
public final class JACKDevice: AudioDevice {
    public let format: DeviceFormat
    /// Name of the client, as ``DeviceSpecification/standardClient`` unless another was chosen.
    public let client: String
    public let channels: Int
    private let handle: JACKClient
    private let ports: JACKPorts
    private let outputs: OutputRoutes
    private let patch: JACKArrayPatch?
    private let wiring: JACKWiring
    private let occupied = Flag()
    /// Reason why listeners are not heard, in words.
    private let reason = Mutex("")

    /// Nanoseconds without a cycle after which the server counts as lost, unless its cycles are long.
    private static let longestCycle: UInt64 = 400_000_000

    /// Connects to the server and registers the ports.
    ///
    /// - Parameters:
    ///   - hasInput: whether to have input ports for the live input.
    ///   - outputs: the sound card's outputs that each listener is connected to; nil for the first listener in stereo.
    ///   - array: the live array that is recorded together with playing; nil for none.
    ///   - fixed: the rate that the server must have, and the largest block; nil for those of the server.
    ///   - wiring: connections of former clients of this name, which are restored.
    /// - Throws: ``DeviceError`` when there is no server, its rate or period is out of range, or it does not have the array's channels.
    public init(
        _ client: String, hasInput: Bool = false, outputs: OutputRoutes? = nil, array: DeviceArray? = nil, fixed: DeviceFormat? = nil,
        wiring: JACKWiring = JACKWiring()
    ) throws(DeviceError) {
        let outputs = outputs ?? OutputRoutes(listeners: 1)
        handle = try JACKClient(client)
        self.client = handle.name
        self.wiring = wiring
        let offered = try DeviceFormat(rate: handle.rate, period: handle.cycle)
        if let fixed, fixed.rate != offered.rate {
            throw DeviceError(
                "The JACK server runs at \(offered.rate) frames per second, the engine at \(fixed.rate). Start the server with that rate "
                    + "(jackd -d … -r \(fixed.rate)), or choose another device.")
        }
        format = fixed ?? offered
        patch = if let array { try JACKArrayPatch(handle, array, isWaiting: fixed != nil) } else { nil }
        ports = try JACKPorts(
            handle, listeners: outputs.listeners, hasInput: hasInput, microphones: patch?.channels.count ?? 0)
        channels = handle.physicalPorts(JackPortIsInput).count
        self.outputs = outputs
    }

    deinit { handle.close() }

    public var arrayChannels: [Int] { patch?.channels ?? [] }

    public var period: Int {
        let cycle = handle.cycle
        return cycle > 0 ? cycle : format.period
    }

    public var problem: String { reason.withLock { $0 } }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        try DeviceRun(
            in: holder, name: "jack watch", live: true, raised: false, occupied: occupied,
            blocks: { [self] holder, stopping in
                let cycle = JACKCycle(handle, ports, holder, format: format)
                guard handle.activate(cycle) else {
                    return DeviceError("The JACK server did not activate the client \"\(client)\".")
                }
                let failure = watch(cycle, stopping)
                if !cycle.hasEnded { handle.deactivate() }
                return failure
            }, onEnd: onEnd)
    }

    /// Keeps the connections as they are wanted until the run is stopped or the server fails.
    private func watch(_ cycle: JACKCallbacks, _ stopping: Flag) -> DeviceError? {
        var card = JACKPatch(handle, ports, outputs: outputs, array: patch, wiring: wiring)
        defer { reason.withLock { $0 = "" } }
        while !stopping.isRaised {
            if cycle.hasEnded { return DeviceError("The JACK server has ended.") }
            if let rate = cycle.newRate {
                return DeviceError("The JACK server runs at \(rate) frames per second now, instead of \(format.rate).")
            }
            guard rt_now() < cycle.newestCycle + max(Self.longestCycle, 4 * blockDuration) else {
                return DeviceError("The JACK server no longer runs its clients.")
            }
            if card.turn(cycle) { reason.withLock { $0 = card.problem } }
            realtime_sleep_until(rt_now() + 5_000_000)
        }
        return nil
    }
}

extension JACKDevice {
    /// The server that runs, with its format, as it is listed among the sound devices; empty without one.
    static func listed() -> [SoundDevice] {
        guard let client = try? JACKClient("vestibule-list") else { return [] }
        let (outputs, inputs) = (client.physicalPorts(JackPortIsInput).count, client.physicalPorts(JackPortIsOutput).count)
        let summary = "JACK server: \(outputs) outputs, \(inputs) inputs, \(client.rate) Hz, \(client.cycle) frames"
        return [SoundDevice(specification: "jack", direction: inputs > 0 ? .both : .output, summary: summary)]
    }

    /// The running server as a device that can be selected; nil without one.
    static func offered() -> DeviceOffer? {
        guard let client = try? JACKClient("vestibule-list") else { return nil }
        let channels = client.physicalPorts(JackPortIsInput).count
        return DeviceOffer(specification: "jack", summary: "JACK server", channels: "\(channels)", rates: "\(client.rate)")
    }
}
