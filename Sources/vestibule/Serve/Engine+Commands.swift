import CRealtime
import Crossing
import Hub
import Media
import Parameters
import Render
import Tracking

extension Engine {
    /// Tells the hub what its parameters do beyond being stored.
    func connect() {
        connectTransport()
        connectArray()
        tools.connect()
        racks.connect { [unowned self] in onShapeChange($0) }
        connectPersonal()
        objects.connect()
        connectMotion()
        for listener in 0..<tree.listeners {
            connectPose(listener)
            connectPrediction(listener)
        }
        hub.onSet(tree.slot(SessionParameter.recording)) { [unowned self] value, _ in
            try load(value.text ?? "")
            onRecordingChange()
        }
        sessions.load = { [unowned self] path in
            try load(path)
            onRecordingChange()
        }
        sessions.connect()
    }

    private func connectTransport() {
        hub.onSet(tree.slot(TransportParameter.play)) { [unowned self] _, _ in
            if telemetry.state.feedEnded { deck.player?.seek(seconds: 0) }
            transport = TransportParameter.playing
        }
        hub.onSet(tree.slot(TransportParameter.pause)) { [unowned self] _, _ in transport = TransportParameter.paused }
        hub.onSet(tree.slot(TransportParameter.stop)) { [unowned self] _, _ in
            transport = TransportParameter.stopped
            deck.player?.seek(seconds: 0)
        }
        hub.onSet(tree.slot(TransportParameter.seek)) { [unowned self] value, _ in
            deck.player?.seek(seconds: Double(value.numbers[0]))
        }
        hub.onSet(tree.slot(TransportParameter.loop)) { [unowned self] value, _ in
            deck.player?.loop = value == .number(1)
        }
    }

    /// Words in place of milliseconds turn the switch beside them.
    private func connectPrediction(_ listener: Int) {
        let isMeasured = tree.slot(ListenerParameter.autoPrediction, listener)
        hub.onSet(tree.slot(ListenerParameter.prediction, listener)) { [unowned self] value, _ in
            guard let word = value.text else { return }
            hub.publish(isMeasured, .number(word == "auto" ? 1 : 0))
            hub.store(instead: .number(0))
        }
    }

    /// Poses that come through the hub: from WebSockets, patterns and sessions. Those of trackers do not pass here.
    private func connectPose(_ listener: Int) {
        let ends = lines.listeners[listener]
        let inlet = PoseInlet(ends.controlPoses.take(), origin: .control, horizon: ends.horizon, arrivals: ends.controlArrivals)
        let angles = tree.slot(ListenerParameter.ypr, listener)
        let quaternion = tree.slot(ListenerParameter.quaternion, listener)
        func turn(_ quaternion: SIMD4<Float>, _ due: UInt64) {
            guard let unit = Orientation.normalised(quaternion) else { return }
            hub.sendTimed(TimedChange(time: due, listener: listener, quaternion: unit))
        }
        hub.onTimed(angles) { value, due in
            let ypr = value.numbers
            turn(Orientation.quaternion(yaw: ypr[0], pitch: ypr[1], roll: ypr[2]), due)
        }
        hub.onTimed(quaternion) { value, due in
            let q = value.numbers
            turn(SIMD4(q[0], q[1], q[2], q[3]), due)
        }
        hub.onSet(angles) { [unowned self] value, message in
            let ypr = value.numbers
            let q = Orientation.quaternion(yaw: ypr[0], pitch: ypr[1], roll: ypr[2])
            inlet.send(quaternion: q, receiveTime: message.receiveTime, senderTime: message.senderTime)
            telemetry.supersede(listener: listener, id: inlet.newest)
            onManualPose(listener + 1, q)
            hub.publish(quaternion, .vector([q[0], q[1], q[2], q[3]]))
        }
        hub.onSet(quaternion) { [unowned self] value, message in
            let q = value.numbers
            let unit = SIMD4(q[0], q[1], q[2], q[3])
            inlet.send(quaternion: unit, receiveTime: message.receiveTime, senderTime: message.senderTime)
            telemetry.supersede(listener: listener, id: inlet.newest)
            onManualPose(listener + 1, unit)
            let (yaw, pitch, roll) = Orientation.angles(unit)
            hub.publish(angles, .vector([yaw, pitch, roll]))
        }
        hub.onSet(tree.slot(ListenerParameter.recenter, listener)) { [unowned self] _, _ in
            // What the renderer used last is in the hub at most one report later; take it now.
            telemetry.publish(now: rt_now())
            let yaw = hub.value(angles).numbers[0]
            hub.publish(tree.slot(ListenerParameter.front, listener), .number(yaw - 360 * (yaw / 360).rounded()))
        }
    }
}
