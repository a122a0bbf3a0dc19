internal import Hub
internal import OSCControl
internal import Parameters
internal import Pose

/// Publishes the state of the trackers as parameters.
extension TrackerManager {
    /// Nanoseconds without a pose after which a tracker is no longer live.
    private static let liveTimeout: UInt64 = 500_000_000
    /// Nanoseconds over which poses are counted.
    private static let span: UInt64 = 500_000_000

    func report(_ number: Int, _ now: UInt64) {
        guard let tracker = trackers[number] else {
            publish(.source, number, .text(""))
            for parameter in [TrackerParameter.state, .inCharge, .rate, .age, .correction] {
                publish(parameter, number, .number(0))
            }
            publish(.problem, number, .text(""))
            return
        }
        publish(.source, number, .text(tracker.name))
        let reading = tracker.status.reading
        publish(.state, number, .number(Float(state(reading, now).rawValue)))
        publish(.inCharge, number, .number(reading.isInCharge ? 1 : 0))
        publish(.correction, number, .number(Float((reading.correction * 10).rounded() / 10)))
        publish(.problem, number, .text(reading.problem))
        if reading.poses > 0 {
            let (yaw, pitch, roll) = Orientation.angles(reading.head)
            publish(.pose, number, .vector([yaw, pitch, roll].map { ($0 * 10).rounded() / 10 }))
        }
        count(number, reading, now)
        calibrate(number, reading, now)
    }

    private func count(_ number: Int, _ reading: TrackerStatus.Reading, _ now: UInt64) {
        guard let counted = trackers[number]?.counted, now - min(now, counted.at) >= Self.span else { return }
        let rate = Double(reading.poses - counted.poses) / (Double(now - counted.at) / 1e9)
        publish(.rate, number, .number(Float(rate.rounded())))
        if reading.poses > 0 {
            publish(.age, number, .number(Float((Double(now - min(now, reading.receiveTime)) / 1e6).rounded())))
        }
        trackers[number]?.counted = (reading.poses, now)
    }

    func state(_ reading: TrackerStatus.Reading, _ now: UInt64) -> TrackerState {
        if reading.poses == 0 { return .waiting }
        if reading.isHome { return .home }
        return now - min(now, reading.receiveTime) < Self.liveTimeout ? .live : .held
    }

    // MARK: Calibration

    func beginCalibration(_ number: Int, now: UInt64) throws {
        guard let tracker = trackers[number] else {
            throw TrackerSourceError(text: "\(number + 1)", reason: "no tracker is attached; set its source first")
        }
        let reading = tracker.status.reading
        guard state(reading, now) == .live || reading.poses > 0 else { throw CalibrationFault.silent }
        let guide = CalibrationGuide(form: tracker.source.profile.forms[reading.form], now: now)
        trackers[number]?.guide = guide
        publish(.guide, number, .text(guide.words))
    }

    private func calibrate(_ number: Int, _ reading: TrackerStatus.Reading, _ now: UInt64) {
        guard var guide = trackers[number]?.guide else { return }
        do {
            if let found = try guide.watch(reading.raw, now: now) {
                trackers[number]?.guide = nil
                apply(number, found)
                publish(.guide, number, .text("Calibrated: \(found.map)."))
            } else {
                trackers[number]?.guide = guide
                publish(.guide, number, .text(guide.words))
            }
        } catch {
            trackers[number]?.guide = nil
            publish(.guide, number, .text("Not calibrated: \(error)."))
            hub.notice("tracker \(number + 1): \(error)")
        }
    }

    private func apply(_ number: Int, _ found: TrackerCalibration) {
        publish(.axes, number, .number(Float(found.map.order.rawValue)))
        publish(.invertYaw, number, .number(found.map.invertsYaw ? 1 : 0))
        publish(.invertPitch, number, .number(found.map.invertsPitch ? 1 : 0))
        publish(.invertRoll, number, .number(found.map.invertsRoll ? 1 : 0))
        publish(.centre, number, .number(Float(found.centre)))
        publish(.mount, number, .vector((0..<4).map { Float(found.mount[$0]) }))
        receiver.set(number, settings(number))
    }
}
