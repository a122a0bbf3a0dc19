internal import CRealtime
internal import Crossing
internal import Synchronization

/// A live array that is recorded by a device of its own, on a thread of its own. A device that is lost is opened again.
public final class ArrayRecorder: Sendable {
    /// The channels of the microphones.
    public let channels: ArrayChannels
    /// Frames per block.
    public let period: Int
    private let input: ArrayInput
    private let rate: Int
    /// The feed that the recorder's thread has not taken yet.
    private let lines = Mutex<Parcel<ArrayLine>?>(nil)
    private let first: Mutex<(any ArraySource)?>
    private let reason = Mutex("")
    private let sharing = Flag()
    private let stopping = Flag()
    private let report: @Sendable (String) -> Void
    private let thread = Mutex<RealtimeThread?>(nil)
    /// Nanoseconds of recording after which a loss is not the device's habit.
    private static let stable: UInt64 = 5_000_000_000

    /// Opens a sound card, or a client of its own of a JACK server.
    ///
    /// - Parameters:
    ///   - channels: the channels of the microphones; nil for all of a device that has a fixed number.
    ///   - format: the rate of the engine, and the wanted number of frames per block.
    ///   - report: called with loss and return of the device, in words, on the recorder's thread.
    /// - Throws: ``DeviceError`` when there is no such device, or it has not this rate or these channels.
    public init(
        _ input: ArrayInput, channels: ArrayChannels?, format: DeviceFormat, report: @escaping @Sendable (String) -> Void
    ) throws(DeviceError) {
        let device = try Self.open(input, channels, rate: format.rate, period: format.period, isWaiting: false)
        self.channels = device.channels
        self.input = input
        rate = format.rate
        period = device.period
        first = Mutex(device)
        self.report = report
    }

    private static func open(
        _ input: ArrayInput, _ channels: ArrayChannels?, rate: Int, period: Int, isWaiting: Bool
    ) throws(DeviceError) -> any ArraySource {
        switch input {
        case .alsa(let name): return try ALSAArray(name, channels: channels, rate: rate, period: period)
        case .jack(let client): return try JACKArray(DeviceArray(client: client, channels: channels), rate: rate, isWaiting: isWaiting)
        case .file(let path): throw DeviceError("The file \(path) is no device that records an array.")
        }
    }

    /// Why the device does not record, in words; empty while it does.
    public var problem: String { reason.withLock { $0 } }

    /// Frames that the renderer leaves in its feed for late threads.
    public var reserve: Int { ArrayBridge.reserve(period: period, rate: rate) }

    /// Tells whether the device of the renderer has the same clock, so that nothing is resampled.
    public func share(clock: Bool) { if clock { sharing.raise() } else { sharing.lower() } }

    /// Records into another feed from now on.
    public func send(to line: consuming ArrayLine) {
        let parcel = Parcel(line)
        lines.withLock { $0 = parcel }
        thread.withLock { thread in
            guard thread == nil else { return }
            do throws(DeviceError) {
                thread = try RealtimeThread(name: "audio array", raised: true) { [self] in run() }
            } catch { reason.withLock { $0 = "\(error)" } }
        }
    }

    /// Ends recording; waits for the thread up to a second.
    public func stop() {
        stopping.raise()
        _ = thread.withLock { $0?.join(within: 1_000_000_000) }
    }

    // MARK: The thread

    private func run() {
        var delay = RetryDelay.lost
        var device = first.withLock { $0.take() }
        var bridge: ArrayBridge?
        while !stopping.isRaised {
            if let open = device {
                let began = rt_now()
                if let failure = record(open, &bridge) { lose(failure) }
                if rt_now() > began + Self.stable { delay = .lost }
            }
            device = nil
            pause(delay.take())
            guard !stopping.isRaised else { break }
            do throws(DeviceError) {
                device = try Self.open(input, channels, rate: rate, period: period, isWaiting: true)
                reason.withLock { $0 = "" }
                report("The array \(input) is recorded again.")
            } catch { reason.withLock { $0 = "\(error)" } }
        }
    }

    private func lose(_ error: DeviceError) {
        reason.withLock { $0 = "\(error)" }
        report("\(error) The engine goes on without it, and records it again when it is back.")
    }

    private func pause(_ nanoseconds: UInt64) {
        let end = rt_now() + nanoseconds
        while rt_now() < end, !stopping.isRaised { realtime_sleep_until(min(end, rt_now() + 20_000_000)) }
    }

    /// Records until the device fails, whose error is returned, or the recorder is stopped.
    private func record(_ device: any ArraySource, _ bridge: inout ArrayBridge?) -> DeviceError? {
        while !stopping.isRaised {
            switch device.next() {
            case .nothing: continue
            case .gap: bridge?.restart(resamples: !sharing.isRaised)
            case .failure(let error): return error
            case .frames(let samples, let end):
                if let line = lines.withLock({ $0.take() }) {
                    bridge = ArrayBridge(line.take(), period: period, rate: rate, resamples: !sharing.isRaised)
                }
                if bridge?.resamples == sharing.isRaised { bridge?.restart(resamples: !sharing.isRaised) }
                bridge?.write(samples, frames: device.period, until: end)
            }
        }
        return nil
    }
}
