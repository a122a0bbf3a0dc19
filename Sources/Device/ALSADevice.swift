internal import CALSA
public import Render

/// A sound card, or whatever else has an ALSA name.
///
/// Opened and configured when it is made, so that ``format`` is known before there is a renderer. A device that
/// takes sound without playing it (`null`) is refused after a second's worth of sound.
public final class ALSADevice: AudioDevice {
    public let format: DeviceFormat
    /// Frames that the device holds: what is rendered is heard at most so much later, apart from the converter
    /// and what a sound server adds.
    public let buffer: Int
    private let device: ALSAHandle
    private let setup: ALSASetup
    private let capture: ALSAInput?
    /// As asked for: how many periods are to wait to be played.
    private let wanted: DeviceFormat
    private let occupied = Flag()

    /// Opens the device. Throws when there is none of that name, when it is busy, or when it does not offer
    /// `format`: two channels and exactly that rate; period and buffer are as near as it can.
    ///
    /// - Parameter input: ALSA's name of a device to record from in time with it.
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
            // A sound server that hangs holds up this call at the latest.
            close: { [device] in snd_pcm_drop(device.pcm) }, onEnd: onEnd)
    }
}
