internal import CRealtime
internal import Parameters
internal import Render
internal import Synchronization

/// The work of a ``DeviceSupervisor``'s thread.
// SAFETY: used by that thread only, and by the one that has joined it; requests and status are behind locks.
final class Supervision<Renderer: BlockRenderer & ~Copyable>: @unchecked Sendable {
    enum Request: Sendable {
        case select(DeviceSpecification)
        case prefer([DeviceSpecification])
    }

    private let requests = Mutex<[Request]>([])
    private let published: Mutex<DeviceStatus>
    /// Output times of the device that plays.
    private let times: Mutex<OutputTiming?>
    private let format: DeviceFormat
    private let first: DeviceSpecification
    private let opener: DeviceOpener
    private let report: @Sendable (String) -> Void
    private let patience: DevicePatience
    /// Time before which the renderer is not taken from a lost device again, CLOCK_MONOTONIC nanoseconds.
    private var nextTry: UInt64 = 0
    /// The same for a device that pauses.
    private var nextPause: UInt64 = 0
    private var playing: SupervisedRun<Renderer>
    /// A device that has not asked for a block for a while, with its newest block: the timer plays until it asks again or is lost.
    private var pausing: (run: SupervisedRun<Renderer>, newest: UInt64)?
    /// A device that is to play once it asks for blocks.
    private var coming: SupervisedRun<Renderer>?
    private var search: DeviceSearch?
    /// Abandoned searches whose opener has not returned.
    private var left: [DeviceSearch] = []
    /// The device that was asked for by name and does not play yet.
    private var selection: DeviceSpecification?
    /// Time of the request, CLOCK_MONOTONIC nanoseconds.
    private var selectedAt: UInt64 = 0
    /// Reason why the device that plays is not heard, as it was reported last.
    private var silence = ""
    private var retirements: [(device: DeviceSpecification, retirement: Retirement)] = []
    /// Time at which the next block of the lost device was due, CLOCK_MONOTONIC nanoseconds.
    private var lostAt: UInt64?
    /// Whether a device has played.
    private var hasPlayed: Bool
    private var delay = RetryDelay.lost
    private var state: DeviceStatus

    /// Nanoseconds of playing after which a loss no longer counts as a repeated failure.
    private static var stable: UInt64 { 5_000_000_000 }
    /// Longest waits for the end of a block and for a fade, nanoseconds.
    private static var longestBlock: UInt64 { 50_000_000 }
    /// Nanoseconds between two tries to take the renderer from a lost device.
    private static var interval: UInt64 { 500_000_000 }
    private static var longestFade: UInt64 { 60_000_000 }
    /// Nanoseconds after which a device counts as one that cannot be opened.
    private static var longestOpening: UInt64 { 5_000_000_000 }

    /// - Parameters:
    ///   - specification: the device of the start.
    ///   - absence: the reason why `first` is the timer instead of it; nil when it is that device.
    init(
        _ first: SupervisedRun<Renderer>, as specification: DeviceSpecification, absence: DeviceError?, opener: @escaping DeviceOpener,
        report: @escaping @Sendable (String) -> Void
    ) {
        playing = first
        format = first.device.format
        self.first = specification
        self.opener = opener
        self.report = report
        patience = first.patience
        hasPlayed = absence == nil
        state = DeviceStatus(
            device: specification, period: first.device.period, channels: first.device.channels, card: first.device.card)
        if let absence {
            lostAt = first.began
            (state.state, state.problem) = (.lost, "\(absence)")
            report("\(absence) The engine starts without it, and uses it when it is there.")
        }
        published = Mutex(state)
        times = Mutex(first.device.timing)
        if absence != nil { resume() }
    }

    // MARK: Other threads

    var status: DeviceStatus { published.withLock { $0 } }

    var timing: OutputTiming.Reading { times.withLock { $0 }?.reading ?? OutputTiming.Reading() }

    func request(_ request: Request) { requests.withLock { $0.append(request) } }

    /// Ends everything; to be called after the thread has ended.
    func end() -> Renderer? {
        search?.cancel()
        _ = coming?.retire()
        _ = pausing?.run.retire()
        return playing.run.stop()
    }

    // MARK: The thread

    func turn(now: UInt64) {
        for request in requests.withLock({ waiting in
            defer { waiting = [] }
            return waiting
        }) { follow(request) }
        if let pausing, pausing.run.newestBlock > pausing.newest { comeBack(to: pausing.run) }
        if let reason = present.loss(now: now) { lose(reason, now) } else if pausing == nil, playing.isPausing(now: now) { pause(now) }
        if let coming { look(at: coming, now) } else if let search { look(at: search, now) }
        retirements.removeAll { $0.retirement.isDone }
        left.removeAll { $0.hasEnded }
        publish(now)
    }

    private func follow(_ request: Request) {
        state.requests += 1
        leaveSearch()
        switch request {
        case .select(let device):
            if device == present.specification, !present.isStandIn {
                prefer(device)
                resume()
            } else {
                (selection, selectedAt) = (device, rt_now())
                search = DeviceSearch([device], isSingle: true, delay: .lost, behind: retirements, beside: left, opener: opener)
            }
        case .prefer(let order):
            state.order = order
            resume()
        }
    }

    /// The device that plays, or pauses.
    private var present: SupervisedRun<Renderer> { pausing?.run ?? playing }

    /// Ends the search and the start of another device.
    private func leaveSearch() {
        if let search { leave(search) }
        if let coming { retire(coming) }
        coming = nil
        selection = nil
    }

    private func leave(_ search: DeviceSearch) {
        search.cancel()
        left.append(search)
        self.search = nil
    }

    private func prefer(_ device: DeviceSpecification) {
        guard state.order.first != device else { return }
        state.order = [device] + (state.order.isEmpty ? [first] : state.order).filter { $0 != device }
    }

    /// Looks for a better device than the one that plays, if there may be one.
    private func resume(wait: UInt64 = 0) {
        guard coming == nil, search == nil else { return }
        let order = state.order.isEmpty ? [first] : state.order
        let better = present.isStandIn ? order : Array(order.prefix { $0 != present.specification })
        guard !better.isEmpty else { return }
        search = DeviceSearch(
            better, wait: wait, delay: present.isStandIn ? .lost : .better, behind: retirements, beside: left, opener: opener)
    }

    /// Moves the renderer from a device that does not ask for blocks to the timer.
    /// - Returns: false when the device's driver keeps the renderer. Each try needs a thread.
    private func moveToTimer() -> Bool {
        let old = playing
        let timer = TimerDevice(format, since: old.newestBlock + old.device.blockDuration)
        guard let standIn = try? SupervisedRun(timer, .timer, isStandIn: true, in: old.run.emptyHolder, patience: patience) else {
            return false
        }
        guard let renderer = old.run.take(within: Self.longestBlock) else {
            retire(standIn)
            return false
        }
        standIn.run.put(renderer)
        playing = standIn
        return true
    }

    /// Lets the timer render for a device that may ask for blocks again in a moment.
    private func pause(_ now: UInt64) {
        guard now >= nextPause else { return }
        let (run, newest) = (playing, playing.newestBlock)
        if moveToTimer() { pausing = (run, newest) } else { nextPause = now + Self.interval }
    }

    /// Moves the renderer back to a device that asks for blocks again.
    private func comeBack(to run: SupervisedRun<Renderer>) {
        guard let renderer = playing.run.take(within: Self.longestBlock) else { return }
        run.run.put(renderer)
        retire(playing)
        (playing, pausing) = (run, nil)
    }

    /// Abandons a device that no longer plays; the timer plays instead.
    private func lose(_ reason: DeviceError, _ now: UInt64) {
        guard now >= nextTry else { return }
        let old = present
        if pausing == nil, !moveToTimer() {
            nextTry = now + Self.interval
            return
        }
        pausing = nil
        retire(old)
        lostAt = lostAt ?? old.newestBlock
        state.losses += 1
        state.problem = "\(reason)"
        report("\(reason) The engine continues without it, and uses it again when it returns.")
        let isStable = now - old.began > Self.stable
        if isStable { delay = .lost }
        resume(wait: isStable ? 0 : delay.take())
    }

    private func look(at search: DeviceSearch, _ now: UInt64) {
        if let found = search.take() {
            self.search = nil
            let holder = playing.run.emptyHolder
            do throws(DeviceError) { coming = try SupervisedRun(found.device, found.specification, in: holder, patience: patience) } catch {
                fail(found.specification, error)
            }
        } else if search.hasEnded {
            self.search = nil
            fail(selection, search.problem ?? DeviceError("The device was not opened."))
        } else if let device = overdue(search, now) {
            let isClosing = retirements.contains { $0.device == device && !$0.retirement.isDone }
            leave(search)
            fail(
                device,
                DeviceError(
                    "The device \(device) \(isClosing ? "is still being closed" : "does not open"): its driver or its sound server hangs."))
        } else if present.isStandIn, let problem = search.problem {
            state.problem = "\(problem)"
        }
    }

    /// The device that hangs while it is opened, or was selected and is still being closed by a former run.
    private func overdue(_ search: DeviceSearch, _ now: UInt64) -> DeviceSpecification? {
        if let selection { return now > selectedAt + Self.longestOpening ? selection : nil }
        return search.stuck(for: Self.longestOpening, now: now)
    }

    private func look(at coming: SupervisedRun<Renderer>, _ now: UInt64) {
        if let failure = coming.failure {
            drop(coming, failure)
        } else if coming.isRunning {
            change(to: coming, now)
        } else if now > coming.began + patience.start {
            drop(coming, DeviceError("The device \(coming.specification) was opened but does not request sound."))
        }
    }

    private func drop(_ coming: SupervisedRun<Renderer>, _ reason: DeviceError) {
        retire(coming)
        self.coming = nil
        fail(coming.specification, reason)
    }

    /// Handles a device that cannot be used: a selection is given up, a search continues.
    private func fail(_ device: DeviceSpecification?, _ reason: DeviceError) {
        if let selection, selection == device {
            self.selection = nil
            report("\(reason) \(present.isStandIn ? "The engine still runs without a device." : "The sound stays on \(state.device).")")
            return resume()
        }
        if present.isStandIn { state.problem = "\(reason)" }
        resume(wait: delay.take())
    }

    /// Moves the renderer to a device that asks for blocks.
    private func change(to coming: SupervisedRun<Renderer>, _ now: UInt64) {
        let old = playing
        if old.specification != .timer { old.run.fadeOut(within: Self.longestFade) }
        guard let renderer = old.run.take(within: Self.longestBlock) else { return }
        coming.run.put(renderer)
        playing = coming
        self.coming = nil
        retire(old)
        if let pausing { retire(pausing.run) }
        pausing = nil
        if let lostAt {
            let frames = frames(rt_now() - lostAt)
            state.lostFrames += frames
            let verb = selection == nil && hasPlayed ? "plays again" : "plays now"
            report("The device \(coming.specification) \(verb); \(frames) frames were not heard on a device.")
        }
        lostAt = nil
        hasPlayed = true
        if selection == coming.specification { prefer(coming.specification) }
        selection = nil
        (state.device, state.channels, state.problem) = (coming.specification, coming.device.channels, "")
        state.card = coming.device.card
        resume()
    }

    private func retire(_ run: SupervisedRun<Renderer>) { retirements.append((run.specification, run.retire())) }

    private func frames(_ nanoseconds: UInt64) -> Int64 { Int64(clamping: nanoseconds / 1000 * UInt64(format.rate) / 1_000_000) }

    private func publish(_ now: UInt64) {
        // A selection does not hide a loss.
        state.isChanging = selection != nil
        state.state = present.isStandIn ? .lost : selection != nil ? .changing : .playing
        let problem = present.isStandIn ? "" : present.device.problem
        if problem != silence, !problem.isEmpty { report(problem) }
        silence = problem
        var shown = state
        shown.period = playing.device.period
        if shown.problem.isEmpty { shown.problem = silence }
        if let lostAt { shown.lostFrames += frames(now - min(now, lostAt)) }
        published.withLock { $0 = shown }
        times.withLock { $0 = present.device.timing }
    }
}
