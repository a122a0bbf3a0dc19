import CRealtime
import Crossing
package import Device
import Media
import Render

/// Source of the live input: an ALSA device, ports of the JACK client, or a sound file that loops in its place.
package enum LiveInputSource {
    case alsa(String)
    case jack
    case file(String)

    /// Longest file, seconds.
    static let longest = 600.0

    /// - Parameter text: `alsa:NAME`, `jack`, or the path of a sound file.
    package init(_ text: String) throws {
        guard text != "jack" else {
            self = .jack
            return
        }
        guard text.hasPrefix("alsa:") else {
            self = .file(text)
            return
        }
        let name = String(text.dropFirst(5))
        guard !name.isEmpty else { throw DeviceError("The input alsa: has no name. Write alsa:NAME, for example alsa:default.") }
        self = .alsa(name)
    }

    /// The recording device, which the playing device has to keep in time with; nil for a file.
    package var device: DeviceInput? {
        switch self {
        case .alsa(let name): .alsa(name)
        case .jack: .jack
        case .file: nil
        }
    }

    package var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .jack: "jack"
        case .file(let path): path
        }
    }

    /// Reads a file into memory; nil for a sound device.
    /// - Parameter report: called with warnings about a file that can be used nevertheless.
    func clip(rate: Int, report: (String) -> Void) throws(MediaError) -> InputClip? {
        guard case .file(let path) = self else { return nil }
        let sound = try WholeSound(path: path, rate: rate, longest: Self.longest, purpose: "a file as live input")
        sound.warnings.forEach(report)
        return InputClip(interleaved: sound.interleaved)
    }
}

/// The live input of a device with its own clock, which continues when the device that plays is exchanged. Used on the control thread only.
final class OwnInput {
    private let name: String
    private let recorder: DeviceRecorder
    private let line: Parcel<ArrayLine>
    private let feed: Parcel<InputFeed>
    private let clock: InputClock

    /// Capacity of the ring between two threads in frames: 85 ms at 192 kHz.
    private static let capacity = 16_384

    /// - Parameters:
    ///   - name: of the source, for clients.
    ///   - clock: whether the input shares the clock of the device that plays.
    ///   - period: largest block of the renderer, frames.
    init(_ name: String, _ recorder: DeviceRecorder, clock: InputClock, period: Int) {
        self.name = name
        self.clock = clock
        self.recorder = recorder
        let ring = FrameRing(channels: 2, capacity: Self.capacity)
        let stamps = Latest(LiveStamp(frame: 0, time: 0))
        let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
        line = Parcel(ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader))
        feed = Parcel(
            InputFeed(
                frames: ring.consumer, live: LiveFeed(reserve: recorder.reserve, stamps: stamps.reader, readings: readings.writer),
                period: period))
    }

    /// Returns the renderer's end of the connection; to be called once.
    func takeFeed() -> InputFeed { feed.take() }

    /// Begins recording.
    func start() { recorder.send(to: line.take()) }

    /// Notes the device that plays, which may have the same clock.
    func follow(_ device: DeviceClock) {
        recorder.watch(now: rt_now())
        recorder.share(clock: clock.isShared(DeviceClock(name, card: recorder.card), with: device))
    }

    func stop() { recorder.stop() }
}
