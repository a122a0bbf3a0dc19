internal import CRealtime
internal import Crossing
internal import Synchronization

/// A live array or a live input that is recorded by its own device, on its own thread. A device that is lost is opened again.
public final class DeviceRecorder: Sendable {
    /// Opens the device; after a loss with the channels that it was opened with at first.
    typealias Opener = @Sendable (_ known: [Int]?) throws(DeviceError) -> any RecordingSource

    /// Number of channels that are recorded.
    public var channels: Int { numbers.count }
    /// Recorded channels of the device, counted from 1.
    private let numbers: [Int]
    /// Frames per block: as many as wanted, until the device has been opened.
    public var period: Int { presentPeriod.load(ordering: .relaxed) }
    private let presentPeriod: Atomic<Int>
    /// Whether the device has recorded.
    private let hasRecorded = Flag()
    /// Noun and name of the source.
    private let name: String
    private let thread: String
    private let open: Opener
    private let rate: Int
    /// The feed that the recorder's thread has not taken yet.
    private let lines = Mutex<Parcel<ArrayLine>?>(nil)
    private let first: Mutex<(any RecordingSource)?>
    private let reason = Mutex("")
    private let presentCard: Mutex<Int?>
    private let sharing = Flag()
    private let stopping = Flag()
    private let report: @Sendable (String) -> Void
    private let running = Mutex<RealtimeThread?>(nil)
    /// Nanoseconds of recording after which a loss no longer counts as a repeated failure.
    private static let stable: UInt64 = 5_000_000_000
    private let box = BridgeBox()
    /// Time at which the pending block was requested, CLOCK_MONOTONIC nanoseconds; 0 while none is pending.
    private let asked = Atomic<UInt64>(0)
    /// Nanoseconds that a call of the driver may take before it is suspected of hanging.
    private static let longestWait: UInt64 = 300_000_000
    /// Time of the request that is being waited for, and the time at which the wait was found to be too long.
    private let suspected = Atomic<UInt64>(0)
    private let suspectedAt = Atomic<UInt64>(0)
    /// Nanoseconds after that time at which the driver counts as hung.
    private static let longestDoubt: UInt64 = 150_000_000

    /// Records a live array: opens a sound card, or a client of its own of a JACK server.
    ///
    /// - Parameters:
    ///   - channels: the channels of the microphones; nil for all of a device that has a fixed number.
    ///   - format: the rate of the engine, and the wanted number of frames per block.
    ///   - report: called with loss and return of the device, in words, on the recorder's thread.
    /// - Throws: ``DeviceError`` when there is no such device, or it does not have this rate or these channels.
    public convenience init(
        _ input: ArrayInput, channels: ArrayChannels?, format: DeviceFormat, report: @escaping @Sendable (String) -> Void
    ) throws(DeviceError) {
        let (rate, period, wiring) = (format.rate, format.period, JACKWiring())
        try self.init("array \(input)", thread: "audio array", rate: rate, report: report) { known throws(DeviceError) in
            // All channels of a source are those that it had at first: it may return with others, or with its ports one by one.
            let channels = if let known { try ArrayChannels(known) } else { channels }
            switch input {
            case .alsa(let name): return try ALSARecording(name, channels: channels, rate: rate, period: period)
            case .jack(let client):
                let device = try JACKArray(
                    DeviceArray(client: client, channels: channels), rate: rate, isWaiting: known != nil, wiring: wiring)
                _ = try ArrayChannels(device.numbers)
                return device
            case .file(let path): throw DeviceError("The file \(path) is not a device that records an array.")
            }
        }
    }

    /// Records the live input in stereo from a sound card. A card that is absent is looked for until it appears.
    ///
    /// - Parameters:
    ///   - name: ALSA name of the card.
    ///   - format: the rate of the engine, and the wanted number of frames per block.
    ///   - report: as above.
    /// - Throws: ``DeviceError`` when the device does not have this rate.
    public convenience init(input name: String, format: DeviceFormat, report: @escaping @Sendable (String) -> Void) throws(DeviceError) {
        let (rate, period) = (format.rate, format.period)
        try self.init(
            "live input alsa:\(name)", thread: "audio input", rate: rate, absent: ([1, 2], period), report: report
        ) { _ throws(DeviceError) in
            try ALSARecording(input: name, rate: rate, period: period)
        }
    }

    /// - Parameters:
    ///   - name: noun and name of the source.
    ///   - thread: name of the thread.
    ///   - absent: channels and wanted period of a device that is looked for while it is not there; nil for one that has to be there.
    ///   - open: opens the device; called here, and on the thread after a loss.
    init(
        _ name: String, thread: String, rate: Int, absent: (numbers: [Int], period: Int)? = nil,
        report: @escaping @Sendable (String) -> Void, open: @escaping Opener
    ) throws(DeviceError) {
        var device: (any RecordingSource)?
        var absence: DeviceError?
        do throws(DeviceError) { device = try open(nil) } catch {
            guard error.isAbsence, absent != nil else { throw error }
            absence = error
        }
        (self.name, self.thread, self.open, self.rate, self.report) = (name, thread, open, rate, report)
        numbers = device?.numbers ?? absent?.numbers ?? []
        presentPeriod = Atomic(device?.period ?? absent?.period ?? 0)
        presentCard = Mutex(device?.card)
        if device != nil { hasRecorded.raise() }
        first = Mutex(device)
        guard let absence else { return }
        reason.withLock { $0 = "\(absence)" }
        report("\(absence) The engine starts without it, and records it when it is there.")
    }

    /// Reason why the device does not record, in words; empty while it does.
    public var problem: String { reason.withLock { $0 } }

    /// Number of the sound card that records; nil for none.
    public var card: Int? { presentCard.withLock { $0 } }

    /// Frames that the renderer leaves in its feed for late threads.
    public var reserve: Int { ArrayBridge.reserve(period: period, rate: rate) }

    /// Whether the device of the renderer has the same clock, so that nothing is resampled.
    public func share(clock: Bool) { if clock { sharing.raise() } else { sharing.lower() } }

    /// Records into another feed from now on.
    public func send(to line: consuming ArrayLine) {
        let parcel = Parcel(line)
        lines.withLock { $0 = parcel }
        running.withLock { thread in
            guard thread == nil else { return }
            do throws(DeviceError) {
                let device = first.withLock { $0.take() }
                thread = try RealtimeThread(name: self.thread, raised: true) { [self] in run(box.turn, device) }
            } catch { reason.withLock { $0 = "\(error)" } }
        }
    }

    /// Ends recording; waits for the thread up to a second.
    public func stop() {
        stopping.raise()
        _ = running.withLock { $0?.join(within: 1_000_000_000) }
    }

    /// Abandons a device whose driver does not return, and looks for it on another thread; to be called about thirty times a second.
    public func watch(now: UInt64) {
        let newest = asked.load(ordering: .relaxed)
        guard newest > 0, now > newest + Self.longestWait else { return }
        // Checked twice, because the whole program may have been stopped.
        guard suspected.exchange(newest, ordering: .relaxed) == newest else { return suspectedAt.store(now, ordering: .relaxed) }
        guard now > suspectedAt.load(ordering: .relaxed) + Self.longestDoubt else { return }
        let next = box.begin()
        asked.store(0, ordering: .relaxed)
        lose(DeviceError("The \(name) does not respond: its driver or its sound server hangs."))
        running.withLock { running in
            _ = running?.join(within: 0)
            do throws(DeviceError) { running = try RealtimeThread(name: thread, raised: true) { [self] in run(next, nil) } } catch {
                running = nil
                reason.withLock { $0 = "\(error)" }
                report("The \(name) is not looked for: \(error)")
            }
        }
    }

    // MARK: The thread

    private func run(_ turn: Int, _ first: (any RecordingSource)?) {
        var delay = RetryDelay.lost
        var device = first
        while isWanted(turn) {
            if let device {
                let began = rt_now()
                if let failure = record(device, turn), isWanted(turn) { lose(failure) }
                if rt_now() > began + Self.stable { delay = .lost }
            }
            device = nil
            pause(delay.take(), turn)
            guard isWanted(turn) else { break }
            do throws(DeviceError) {
                device = try reopened()
                reason.withLock { $0 = "" }
                report("The \(name) is recorded \(hasRecorded.isRaised ? "again" : "now").")
                hasRecorded.raise()
            } catch { reason.withLock { $0 = "\(error)" } }
        }
    }

    /// Opens the device after a loss. The feed and its ring have room for as many channels as at first.
    private func reopened() throws(DeviceError) -> any RecordingSource {
        let device = try open(numbers)
        guard device.numbers.count == channels else {
            throw DeviceError(
                "The \(name) has \(counted(device.numbers.count, "channel")) now, and \(channels) are recorded. Let it have \(channels) "
                    + "again, or restart the engine.")
        }
        presentCard.withLock { $0 = device.card }
        presentPeriod.store(device.period, ordering: .relaxed)
        return device
    }

    private func isWanted(_ turn: Int) -> Bool { !stopping.isRaised && box.turn == turn }

    private func lose(_ error: DeviceError) {
        reason.withLock { $0 = "\(error)" }
        report("\(error) The engine continues without it, and resumes recording when it returns.")
    }

    private func pause(_ nanoseconds: UInt64, _ turn: Int) {
        let end = rt_now() + nanoseconds
        while rt_now() < end, isWanted(turn) { realtime_sleep_until(min(end, rt_now() + 20_000_000)) }
    }

    /// Records until the device fails or the recorder is stopped; returns the error of the device, nil when stopped.
    private func record(_ device: any RecordingSource, _ turn: Int) -> DeviceError? {
        while isWanted(turn) {
            asked.store(rt_now(), ordering: .relaxed)
            let block = device.next()
            asked.store(0, ordering: .relaxed)
            switch block {
            case .nothing: continue
            case .gap: box.use(turn) { $0?.restart(resamples: !sharing.isRaised) }
            case .failure(let error): return error
            case .frames(let samples, let end): box.use(turn) { write(samples, device.period, until: end, to: &$0) }
            }
        }
        return nil
    }

    private func write(_ samples: UnsafePointer<Float>, _ frames: Int, until end: UInt64, to bridge: inout ArrayBridge?) {
        if let line = lines.withLock({ $0.take() }) {
            bridge = ArrayBridge(line.take(), period: period, rate: rate, resamples: !sharing.isRaised)
        }
        if bridge?.resamples == sharing.isRaised { bridge?.restart(resamples: !sharing.isRaised) }
        bridge?.write(samples, frames: frames, until: end)
    }
}

/// A device with its own clock that records a live array or the live input, block by block. For one thread at a time.
protocol RecordingSource: AnyObject, Sendable {
    /// The device's channels, in the order in which they are recorded, counted from 1.
    var numbers: [Int] { get }
    /// Frames per block.
    var period: Int { get }
    /// Number of the sound card; nil for none.
    var card: Int? { get }

    /// Waits for a block, at most a few dozen milliseconds.
    func next() -> ArrayBlock
}

extension RecordingSource {
    var card: Int? { nil }
}

/// A recorded block of a live array, or the reason why there is none.
enum ArrayBlock {
    /// As many frames as a block has, in the order of the microphones, and the time at which the frame after them is at the converter.
    case frames(UnsafePointer<Float>, end: UInt64)
    /// A gap, after which blocks follow.
    case gap
    case nothing
    case failure(DeviceError)
}
