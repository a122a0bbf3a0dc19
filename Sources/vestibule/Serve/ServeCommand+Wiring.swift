import ArgumentParser
import CRealtime
import Crossing
import Device
import Foundation
import Hub
import OSCControl
import Parameters
import Render
import Trackers
import Tracking
import WebControl

/// Who hears of what, once everything is there.
extension ServeCommand {
    func addStreams(_ engine: Engine, _ server: WebServer) {
        for (index, lines) in engine.lines.listeners.enumerated() {
            let gate = lines.isHeard.take()
            server.add(
                AudioStream(
                    listener: index + 1, rate: engine.device.format.rate, source: lines.ears.take(),
                    position: { engine.telemetry.state.samples }, want: { gate.set($0) }))
        }
    }

    func connectClients(_ engine: Engine, _ server: WebServer, _ dispatcher: OSCDispatcher) {
        server.otherClients = { dispatcher.clients }
        server.kickOther = { dispatcher.kick($0) }
        engine.hub.onSet(engine.tree.slot(ClientParameter.kick)) { value, _ in
            let id = Int(value.numbers[0])
            guard server.kick(id) else { throw ValidationError("no client has the number \(id); the clients topic lists them") }
        }
    }

    func connectTelemetry(_ engine: Engine, _ server: WebServer) {
        let (telemetry, service) = (engine.telemetry, server.telemetry)
        service.collect = { telemetry.collect() }
        service.histogram = { telemetry.motionToSoundHistogram }
        service.latencies = { telemetry.listenerLatencies }
        service.engine = { telemetry.state }
        telemetry.slots = { [racks = engine.racks] in racks.takeMeters() }
        telemetry.tap = { service.take($0) }
        let form = logForm
        engine.hub.log = { text in
            form.write(text)
            service.note(text)
        }
    }

    /// Sends poses on at most 100 times a second.
    func addRelays(_ engine: Engine, _ server: WebServer) throws {
        let relays = try relay.map { text in
            let destination = try TrackerOption.relay(text, listeners: listeners)
            let index = destination.listener - 1
            return (
                try PoseRelay(destination.profile, host: destination.host, port: destination.port),
                engine.tree.slot(ListenerParameter.quaternion, index), engine.tree.slot(ListenerParameter.front, index)
            )
        }
        guard !relays.isEmpty else { return }
        server.every(10) {
            engine.telemetry.collect()
            engine.telemetry.publishListeners()
            for (relay, quaternion, front) in relays {
                let q = engine.hub.value(quaternion).numbers
                relay.send(SIMD4(q[0], q[1], q[2], q[3]), front: engine.hub.value(front).numbers[0])
            }
        }
    }

    /// Says where the panel is, and writes the ready file, when the first block has been rendered.
    func announceWhenReady(
        _ engine: Engine, _ server: WebServer, _ receiver: OSCReceiver, _ invitation: Invitation, _ hints: [String],
        _ desk: TrackerDesk, _ attached: [(number: Int, port: UInt16)]
    ) {
        let panel = invitation.panel(server.port)
        let format = engine.device.format
        let ready = ReadyFile(
            panel: panel, host: bind, oscPort: Int(receiver.port), httpPort: server.port, device: device, rate: format.rate,
            period: format.period, pid: getpid(), trackerPorts: attached.map { Int($0.port) })
        let path = readyFile
        var isSaid = false
        server.every(5) {
            guard !isSaid, engine.telemetry.state.blocks > 0 else { return }
            isSaid = true
            for line in hints.map({ "hint: \($0)" }) + invitation.lines(server.port) { logForm.write(line) }
            logForm.write(
                "panel: \(panel)   OSC: UDP port \(receiver.port)   device: \(device), \(format.rate) Hz, \(format.period) frames")
            for (number, _) in attached { if let words = desk.words(number) { logForm.write(words) } }
            if CodeWaiter.isPossible, logForm == .text { showCode(server) }
            guard let path else { return }
            do { try ready.write(path) } catch { engine.hub.notice("the ready file \(path) cannot be written: \(error)") }
        }
    }
}
