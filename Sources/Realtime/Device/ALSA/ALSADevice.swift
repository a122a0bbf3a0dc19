internal import CALSA
public import Render

/// A sound device with an ALSA name.
///
/// The initialiser opens and configures the device, so that ``format`` is known before the renderer is made. A
/// device that accepts sound without playing it (`null`) fails after a second's worth of sound.
public final class ALSADevice: AudioDevice {
    public let format: DeviceFormat
    /// Frames in the device's buffer: the largest delay of rendered sound, apart from the converter's and a sound server's.
    public let buffer: Int
    public let card: Int?
    public var channels: Int { setup.channels }
    public var timing: OutputTiming? { ownTiming }
    private let device: ALSAHandle
    private let outputs: OutputRoutes
    private let setup: ALSASetup
    private let capture: ALSAInput?
    /// Requested format; when the device records as well, its number of periods is the number that wait to be played.
    private let wanted: DeviceFormat
    private let occupied = Flag()
    /// Measured delay of the output in nanoseconds, if there is one.
    private let calibrated: UInt64?
    private let ownTiming: OutputTiming

    /// Opens and configures the device with exactly the rate of `format` and the fewest channels that are enough; period and
    /// buffer are as close as the device allows.
    ///
    /// - Parameters:
    ///   - input: ALSA name of a device to record from in sync.
    ///   - outputs: the channels that listeners are played on; nil for the first listener in stereo.
    ///   - channels: number of channels wanted; nil for as many as `outputs` needs.
    ///   - delays: measured delays of devices, which hold for playing without recording.
    ///   - isFixed: whether blocks may have at most the period of `format`, even if the device's is longer.
    /// - Throws: ``DeviceError`` when there is no such device, it is busy, or it does not support `format`.
    public init(
        _ name: String, _ format: DeviceFormat, input: String? = nil, outputs: OutputRoutes? = nil, channels: Int? = nil,
        isFixed: Bool = false, delays: OutputDelays = OutputDelays()
    ) throws(DeviceError) {
        let outputs = outputs ?? OutputRoutes(listeners: 1)
        self.outputs = outputs
        wanted = format
        device = try ALSAHandle(name)
        card = device.card
        setup = try ALSASetup(device, format, channels: max(channels ?? 2, outputs.channels))
        buffer = setup.buffer
        capture = if let input { try ALSAInput(input, rate: format.rate, period: setup.period) } else { nil }
        guard !isFixed || capture == nil || setup.period <= format.period else {
            throw DeviceError(
                "The ALSA device \"\(name)\" records and plays with a period of \(setup.period) frames, the engine renders "
                    + "\(format.period). Choose another device, or start the engine with --period \(setup.period).")
        }
        let block = isFixed ? min(setup.period, format.period) : setup.period
        self.format = DeviceFormat(agreed: format.rate, period: block, periods: setup.buffer / block)
        calibrated = capture == nil ? delays.nanoseconds(.alsa(name), self.format) : nil
        ownTiming = OutputTiming(calibrated == nil ? .reported : .calibrated)
    }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let rate = format.rate
        let (capture, wanted, block, calibrated, timing) = (capture, wanted, format.period, calibrated, ownTiming)
        let hints =
            setup.resamples
            ? ["The ALSA device \"\(device.name)\" does not run at \(rate) frames per second; a plugin resamples."] : []
        return try DeviceRun(
            in: holder, name: "audio alsa", live: true, hints: hints, occupied: occupied,
            blocks: { [device, setup, outputs] holder, stopping in
                let times = OutputClock(rate: rate, calibrated: calibrated, timing)
                if let capture {
                    var duplex = ALSADuplex(
                        device, setup, capture: capture, format: wanted, outputs: outputs, times: times, holder: holder, stopping: stopping)
                    return duplex.run()
                }
                var stream = ALSAStream(
                    device, setup, rate: rate, block: block, outputs: outputs, times: times, holder: holder, stopping: stopping)
                return stream.run()
            },
            // A sound server that hangs would block this call.
            close: { [device] in snd_pcm_drop(device.pcm) }, onEnd: onEnd)
    }
}
