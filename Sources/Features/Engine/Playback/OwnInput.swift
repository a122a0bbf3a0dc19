import CRealtime
import Crossing
import Device
import Render

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
