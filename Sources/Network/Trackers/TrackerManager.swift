internal import CRealtime
public import Hub
public import OSCControl
internal import Parameters
internal import Pose

/// Attaches trackers as the parameters request, and publishes their state as parameters.
///
/// Used on the control thread only.
public final class TrackerManager {
    /// Connects an attached tracker to the pose thread.
    public typealias Linker = (_ source: TrackerSource, _ descriptor: Int32) throws -> any TrackerLink

    let hub: Hub
    let receiver: OSCReceiver
    var trackers: [AttachedTracker?]
    private let linker: Linker
    private var fronts: [Float]

    /// - Parameter linker: makes links to attached trackers, given a socket to write packets to, which the link closes.
    public init(hub: Hub, receiver: OSCReceiver, linker: @escaping Linker) {
        self.hub = hub
        self.receiver = receiver
        self.linker = linker
        trackers = Array(repeating: nil, count: hub.tree.trackers)
        fronts = Array(repeating: 0, count: hub.tree.listeners)
        for number in trackers.indices { connect(number) }
    }

    /// Ends the threads of all links and waits for them.
    public func stop() {
        for number in trackers.indices { detach(number, waits: true) }
    }

    func index(_ parameter: TrackerParameter, _ number: Int) -> Int { hub.tree.index(parameter, number) }

    private func connect(_ number: Int) {
        hub.onSet(index(.source, number)) { [unowned self] value, _ in try attach(number, value.text ?? "") }
        hub.onSet(index(.listener, number)) { [unowned self] value, _ in
            let listener = Int(clamping: value.numbers[0])
            try check(listener)
            if trackers[number] != nil { receiver.turn(number, listener: listener) }
        }
        for parameter in [
            TrackerParameter.axes, .invertYaw, .invertPitch, .invertRoll, .centre, .mount, .timeout, .returnTime, .drift, .position,
            .positionScale, .positionCentre,
        ] {
            hub.onSet(index(parameter, number)) { [unowned self] value, _ in
                receiver.set(number, settings(number, with: parameter, value))
            }
        }
        hub.onSet(index(.recenter, number)) { [unowned self] _, _ in recenter(number) }
        hub.onSet(index(.calibrate, number)) { [unowned self] _, message in
            try beginCalibration(number, now: message.receiveTime)
        }
        hub.onSet(index(.cancel, number)) { [unowned self] _, _ in
            trackers[number]?.guide = nil
            publish(.guide, number, .text(""))
        }
        hub.onSet(index(.orientation, number)) { [unowned self] value, message in
            guard trackers[number]?.source.place == .web else {
                throw TrackerSourceError(
                    text: "\(number + 1)", reason: "this tracker does not accept poses from a browser; set its source to web")
            }
            let q = value.numbers
            receiver.feed(number, SIMD4(q[0], q[1], q[2], q[3]), receiveTime: message.receiveTime)
        }
    }

    private func check(_ listener: Int) throws {
        guard (1...hub.tree.listeners).contains(listener), hub.tree.isPresent[listener - 1] else {
            let wired = hub.tree.wired
            let network = (wired..<hub.tree.listeners).filter { hub.tree.isPresent[$0] }.prefix(20).map { ", \($0 + 1)" }.joined()
            throw TrackerSourceError(
                text: "listener \(listener)",
                reason: "only listeners 1 to \(wired)\(network) exist; add one with /listener/add, or start with more --listeners")
        }
    }

    func publish(_ parameter: TrackerParameter, _ number: Int, _ value: ParameterValue) {
        hub.publish(index(parameter, number), value)
    }

    // MARK: Attaching

    /// Attaches a tracker to the first free number and publishes its source.
    ///
    /// - Parameter listener: number of the listener, from 1.
    /// - Returns: the tracker's number from 0, and its UDP port, 0 when it has none.
    /// - Throws: ``TrackerSourceError``, `OSCReceiverError`, or the error of the link.
    @discardableResult
    public func attach(_ source: String, listener: Int) throws -> (number: Int, port: UInt16) {
        try check(listener)
        let wanted = try TrackerSource(source)
        // A session may have attached it already. A request for any free port always opens another one.
        let present = trackers.firstIndex { $0?.source == wanted && wanted.place != .port(0) }
        guard let number = present ?? trackers.firstIndex(where: { $0 == nil }) else {
            throw TrackerSourceError(text: source, reason: "all \(trackers.count) trackers are in use; detach one first")
        }
        publish(.listener, number, .number(Float(listener)))
        if present != nil { receiver.turn(number, listener: listener) }
        try attach(number, source)
        publish(.source, number, .text(trackers[number]?.name ?? ""))
        return (number, trackers[number]?.port ?? 0)
    }

    /// UDP port of a tracker: nil for a number without a tracker, 0 for a tracker without a port.
    public func port(_ number: Int) -> UInt16? { trackers[number]?.port }

    /// Describes an attached tracker in one line of the log; nil for a number without a tracker.
    public func summary(_ number: Int) -> String? {
        guard let tracker = trackers[number] else { return nil }
        let listener = Int(clamping: hub.value(index(.listener, number)).numbers[0])
        let place =
            switch tracker.source.place {
            case .port: "on UDP port \(tracker.port)"
            case .oscPort: "on the OSC port"
            case .attached(let name): name.map { "at \($0)" } ?? "at the first match"
            case .web: "in a browser"
            }
        return "tracker: \(tracker.source.profile.title) \(place) controls listener \(listener)"
    }

    private func attach(_ number: Int, _ text: String) throws {
        guard !text.isEmpty else { return detach(number) }
        guard text != trackers[number]?.name else { return }
        let source = try TrackerSource(text)
        // The previous tracker is detached first only if it occupies the port or line of the new one.
        guard let old = trackers[number], old.holds(source.place) else {
            let new = try make(number, source)
            trackers[number]?.link?.stop(waits: false)
            trackers[number] = new
            return
        }
        detach(number)
        do {
            trackers[number] = try make(number, source)
        } catch {
            trackers[number] = try? make(number, TrackerSource(old.name))
            throw error
        }
    }

    private func make(_ number: Int, _ source: TrackerSource) throws -> AttachedTracker {
        var place = TrackerPlace.fed
        var link: (any TrackerLink)?
        switch source.place {
        case .port(let port): place = .port(port)
        case .oscPort: place = .oscPort
        case .web: break
        case .attached:
            let (reading, writing) = try OSCReceiver.pair()
            do { link = try linker(source, writing) } catch {
                OSCReceiver.close(reading)
                throw error
            }
            place = .descriptor(reading)
        }
        let listener = Int(clamping: hub.value(index(.listener, number)).numbers[0])
        let (status, port) = try receiver.attach(
            number, source.profile, at: place, listener: min(listener, hub.tree.listeners), settings: settings(number))
        return AttachedTracker(source: source, status: status, port: port, link: link, counted: (0, rt_now()))
    }

    private func detach(_ number: Int, waits: Bool = false) {
        guard let tracker = trackers[number] else { return }
        tracker.link?.stop(waits: waits)
        receiver.detach(number)
        trackers[number] = nil
        publish(.guide, number, .text(""))
    }

    /// Detaches the trackers of a listener that is about to be removed, since a later listener of its number has another head.
    /// - Parameter listener: from 1.
    public func release(listener: Int) {
        for number in trackers.indices where trackers[number] != nil && hub.value(index(.listener, number)).numbers[0] == Float(listener) {
            hub.notice("tracker \(number + 1) was detached, because listener \(listener) was removed")
            let changes: [(TrackerParameter, Argument)] = [(.source, .string("")), (.listener, .int(1))]
            for (parameter, value) in changes {
                hub.handle(Message(address: parameter.address(number), arguments: [value], receiveTime: rt_now()))
            }
        }
    }

    /// Attaches a tracker for a profile that the pose thread has recognised on the OSC port.
    public func recognised(_ profile: String) {
        guard !trackers.contains(where: { $0?.source.place == .oscPort && $0?.source.profile.name == profile }) else { return }
        _ = try? attach("\(profile):osc", listener: 1)
    }

    // MARK: Settings

    /// Settings of a tracker.
    /// - Parameter parameter: a parameter with the new value `value`, which is not stored yet.
    func settings(_ number: Int, with parameter: TrackerParameter? = nil, _ value: ParameterValue = .impulse) -> TrackerSettings {
        func numbers(_ wanted: TrackerParameter) -> [Float] {
            (wanted == parameter ? value : hub.value(index(wanted, number))).numbers
        }
        func isOn(_ wanted: TrackerParameter) -> Bool { numbers(wanted)[0] >= 0.5 }
        var settings = TrackerSettings()
        settings.map = AxisMap(
            AxisMap.Order(rawValue: Int(clamping: numbers(.axes)[0])) ?? .yawPitchRoll, yaw: isOn(.invertYaw),
            pitch: isOn(.invertPitch), roll: isOn(.invertRoll))
        let mount = numbers(.mount)
        settings.mount = SIMD4<Double>(SIMD4(mount[0], mount[1], mount[2], mount[3]))
        settings.centre = Double(numbers(.centre)[0])
        settings.timeout = Double(numbers(.timeout)[0])
        settings.returnTime = Double(numbers(.returnTime)[0])
        settings.drift = Double(numbers(.drift)[0])
        settings.hasPosition = isOn(.position)
        settings.positionScale = Double(numbers(.positionScale)[0])
        let centre = numbers(.positionCentre)
        settings.positionCentre = SIMD3<Double>(SIMD3(centre[0], centre[1], centre[2]))
        return settings
    }

    private func recenter(_ number: Int) {
        guard let reading = trackers[number]?.status.reading, reading.poses > 0 else { return }
        let listener = Int(clamping: hub.value(index(.listener, number)).numbers[0]) - 1
        let front = hub.tree.listeners > listener ? hub.value(hub.tree.index(ListenerParameter.front, listener)).numbers[0] : 0
        let yaw = Orientation.angles(reading.head).yaw - front
        // The reading may have been taken with a former centre.
        let centre = reading.centre + reading.correction + Double(yaw)
        publish(.centre, number, .number(Float(centre - 360 * (centre / 360).rounded())))
        let place = reading.place
        publish(.positionCentre, number, .init(numbers: [place[0], place[1], place[2]]))
        receiver.set(number, settings(number))
    }

    /// Records that a head was turned through the hub, by hand.
    /// - Parameter listener: number of the listener, from 1.
    public func noteManual(listener: Int, _ quaternion: SIMD4<Float>) {
        receiver.noteManual(listener: listener, quaternion)
    }

    // MARK: State

    /// Publishes the state of the trackers and continues calibrations. Called about thirty times a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func tick(now: UInt64) {
        for listener in fronts.indices {
            let front = hub.value(hub.tree.index(ListenerParameter.front, listener)).numbers[0]
            guard front != fronts[listener] else { continue }
            fronts[listener] = front
            receiver.setFront(listener: listener + 1, front)
        }
        for number in trackers.indices { report(number, now) }
    }
}

/// A tracker with its source, its link and its statistics.
struct AttachedTracker {
    let source: TrackerSource
    let status: TrackerStatus
    /// UDP port; 0 for a tracker without one.
    let port: UInt16
    let link: (any TrackerLink)?
    var guide: CalibrationGuide?
    /// Number of poses at the previous report and its time in CLOCK_MONOTONIC nanoseconds, from which the rate follows.
    var counted: (poses: Int, at: UInt64)

    /// The source in full: with the port that was found free, and with the whole path of a profile.
    var name: String { source.description(port: port) }

    /// Whether the tracker occupies a place that two trackers cannot share.
    func holds(_ place: TrackerSource.Place) -> Bool {
        switch place {
        case .port(let wanted): wanted != 0 && wanted == port
        case .attached: link != nil
        case .oscPort, .web: false
        }
    }
}
