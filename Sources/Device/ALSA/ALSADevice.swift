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
    private let device: ALSAHandle
    private let setup: ALSASetup
    private let capture: ALSAInput?
    /// Requested number of periods that wait to be played.
    private let wanted: DeviceFormat
    private let occupied = Flag()

    /// Opens and configures the device with two channels and exactly the rate of `format`; period and buffer are as
    /// close as the device allows.
    ///
    /// - Parameter input: ALSA name of a device to record from in sync.
    /// - Throws: ``DeviceError`` when there is no such device, it is busy, or it does not support `format`.
    public init(_ name: String, _ format: DeviceFormat, input: String? = nil) throws(DeviceError) {
        wanted = format
        device = try ALSAHandle(name)
        setup = try ALSASetup(device, format)
        buffer = setup.buffer
        capture = if let input { try ALSAInput(input, rate: format.rate, period: setup.period) } else { nil }
        self.format = DeviceFormat(agreed: format.rate, period: setup.period, periods: setup.buffer / setup.period)
    }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let rate = format.rate
        let (capture, wanted) = (capture, wanted)
        let hints =
            setup.resamples
            ? ["The ALSA device \"\(device.name)\" does not run at \(rate) frames per second; a plugin resamples."] : []
        return try DeviceRun(
            renderer, name: "audio alsa", live: true, hints: hints, occupied: occupied,
            loop: { [device, setup] renderer, stopping in
                if let capture {
                    var duplex = ALSADuplex(
                        device, setup, capture: capture, format: wanted, renderer: renderer, stopping: stopping)
                    return duplex.run()
                }
                var stream = ALSAStream(device, setup, rate: rate, renderer: renderer, stopping: stopping)
                return stream.run()
            },
            // A sound server that hangs would block this call.
            close: { [device] in snd_pcm_drop(device.pcm) }, onEnd: onEnd)
    }
}
