import Binaural
import CRealtime
import Crossing
package import Device
import Foundation
import Media
import Render
import Synchronization

/// The live microphone array that an engine is made with.
package struct LiveArrayOption: Sendable {
    package let source: ArrayInput
    /// Channels of the microphones; nil for all that the source has.
    package let channels: ArrayChannels?
    /// Path of the file with the positions of the microphones; nil for the one beside a sound file, or evenly spaced microphones.
    package let sidecar: String?
    /// Whether the array's card has the clock of the device that plays.
    package let clock: InputClock

    package init(source: ArrayInput, channels: ArrayChannels?, sidecar: String?, clock: InputClock = .auto) {
        (self.source, self.channels, self.sidecar, self.clock) = (source, channels, sidecar, clock)
    }

    /// The array as the playing device records it in the same blocks; nil when it has a source of its own.
    package func recorded(by device: DeviceSpecification) -> DeviceArray? {
        guard case .jack(let client) = source, case .jack = device else { return nil }
        return DeviceArray(client: client, channels: channels)
    }
}

/// A live microphone array, which plays instead of a recording. Used on the control thread only.
final class LiveArray {
    private enum Source {
        /// Blocks of the playing device.
        case device
        /// A sound file that is read ahead of time.
        case file(RecordingPlayer)
        /// A sound card of its own.
        case recorder(DeviceRecorder)
    }

    /// The name of the source, for clients.
    let name: String
    /// Positions of the microphones, before settings are applied.
    let array: MicrophoneArray
    /// The ticket of the feeds.
    let ticket: Int
    private let source: Source
    private let clock: InputClock
    private let sender: FeedSender

    /// Capacity of the ring between two threads in frames: 85 ms at 192 kHz.
    private static let capacity = 16_384

    /// Opens the source.
    ///
    /// - Parameters:
    ///   - device: the device that plays; it has the array's channels if it records them, too.
    ///   - rate: of the engine, frames per second.
    ///   - report: called with read errors, in words, on another thread.
    /// - Throws: `DeviceError` or `MediaError`.
    init(
        _ option: LiveArrayOption, device: any AudioDevice, sender: FeedSender, rate: Double, report: @escaping @Sendable (String) -> Void
    ) throws {
        let ticket = sender.nextTicket()
        self.ticket = ticket
        self.sender = sender
        (name, clock) = (option.source.description, option.clock)
        switch option.source {
        case .file(let path):
            let player = try RecordingPlayer(
                path: path, channels: option.channels?.numbers, sidecar: option.sidecar, engineRate: rate, loop: true, report: report
            ) { feed in
                let (number, start) = (feed.number, feed.start)
                sender.send(feed.frames, number: number, start: start, ticket: ticket, live: LiveFeed())
            }
            array = player.array
            source = .file(player)
        case .jack where !device.arrayChannels.isEmpty:
            array = try Self.array(option.sidecar, channels: device.arrayChannels.count)
            source = .device
        case .alsa, .jack:
            let found = try Self.record(option, format: device.format, report: report)
            (array, source) = (found.array, .recorder(found.recorder))
        }
    }

    /// Makes a live array from one that was found after the start.
    init(_ found: LiveArraySearch.Found, _ option: LiveArrayOption, sender: FeedSender) {
        (ticket, self.sender) = (sender.nextTicket(), sender)
        (name, clock) = (option.source.description, option.clock)
        (array, source) = (found.array, .recorder(found.recorder))
    }

    /// Opens a device of the array's own.
    /// - Throws: `DeviceError` or `MediaError`.
    static func record(
        _ option: LiveArrayOption, format: DeviceFormat, report: @escaping @Sendable (String) -> Void
    ) throws -> LiveArraySearch.Found {
        let recorder = try DeviceRecorder(option.source, channels: option.channels, format: format, report: report)
        return .init(recorder: recorder, array: try array(option.sidecar, channels: recorder.channels))
    }

    private static func array(_ sidecar: String?, channels: Int) throws(MediaError) -> MicrophoneArray {
        guard let sidecar else { return .uniform(count: channels) }
        return try MicrophoneArray(sidecar: sidecar, channels: channels) ?? .uniform(count: channels)
    }

    /// Reason why the source delivers nothing, in words; empty while unknown.
    var problem: String { if case .recorder(let recorder) = source { recorder.problem } else { "" } }

    /// Notes the device that plays, which may have the same clock.
    func follow(_ device: DeviceClock) {
        guard case .recorder(let recorder) = source else { return }
        recorder.watch(now: rt_now())
        recorder.share(clock: clock.isShared(DeviceClock(name, card: recorder.card), with: device))
    }

    /// Warnings about a source that can be used nevertheless.
    var warnings: [String] { if case .file(let player) = source { player.warnings } else { [] } }

    /// Sends the renderer a feed, which plays from the moment at which the source delivers.
    func begin() {
        switch source {
        case .file(let player): player.seek(seconds: 0)
        case .device:
            let ring = FrameRing(channels: array.count, capacity: Self.capacity)
            let (inlet, frames) = (Parcel(ring.producer), Parcel(ring.consumer))
            sender.send(frames, ticket: ticket) { LiveFeed(inlet: inlet.take()) }
        case .recorder(let recorder):
            let ring = FrameRing(channels: array.count, capacity: Self.capacity)
            let stamps = Latest(LiveStamp(frame: 0, time: 0))
            let readings = Latest(LiveReading(frame: 0, time: 0, reserve: 0))
            let (reader, writer) = (Parcel(stamps.reader), Parcel(readings.writer))
            sender.send(Parcel(ring.consumer), ticket: ticket) {
                LiveFeed(reserve: recorder.reserve, stamps: reader.take(), readings: writer.take())
            }
            recorder.send(to: ArrayLine(frames: ring.producer, stamps: stamps.writer, readings: readings.reader))
        }
    }

    /// Frees what the source has opened.
    func stop() {
        switch source {
        case .device: return
        case .file(let player): player.end()
        case .recorder(let recorder): recorder.stop()
        }
    }
}

/// Looks for a live array that is not there at the start, on its own thread, because sound servers block their callers.
final class LiveArraySearch: Sendable {
    /// A device that records the array.
    struct Found: Sendable {
        let recorder: DeviceRecorder
        let array: MicrophoneArray
    }

    let option: LiveArrayOption
    private let latest: Mutex<String>
    private let found = Mailbox<Found>()
    private let isCancelled = Mutex(false)
    /// Seconds between two tries.
    private static let interval = 1.0

    /// - Parameters:
    ///   - problem: why it was not found at the start.
    ///   - open: opens the source.
    init(_ option: LiveArrayOption, problem: DeviceError, open: @escaping @Sendable (LiveArrayOption) throws -> Found) {
        self.option = option
        latest = Mutex("\(problem)")
        let thread = Thread { [self] in
            var channels = 0
            while !isCancelled.withLock({ $0 }) {
                Thread.sleep(forTimeInterval: Self.interval)
                do {
                    let next = try open(option)
                    // The ports of a JACK client appear one by one.
                    let isComplete = option.channels != nil || next.recorder.channels == channels
                    channels = next.recorder.channels
                    if isComplete {
                        found.put(next)
                        return
                    }
                } catch { latest.withLock { $0 = "\(error)" } }
            }
        }
        thread.name = "array search"
        thread.start()
    }

    /// Reason why it is not found, in words.
    var problem: String { latest.withLock { $0 } }

    /// Returns the array once after it has been found; nil otherwise.
    func take() -> Found? { found.take() }

    func cancel() { isCancelled.withLock { $0 = true } }
}
