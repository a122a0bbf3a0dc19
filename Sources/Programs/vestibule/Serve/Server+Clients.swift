import CRealtime
import Crossing
import Device
import Engine
import Foundation
import Hub
import ListenerStreams
import MQTT
import OSCControl
import Parameters
internal import Participants
import Pose
internal import Query
import Render
import RenderInterface
import Trackers
import Trust
import Web

/// The connections between the engine and its clients.
extension Server {
    /// Connects parameters to the engine, and announces changes of the namespace to clients.
    func connectEngine() {
        engine.connect()
        engine.onShapeChange = { [query = features.query] in query.announceChange($0) }
        engine.recording.transport.onRecordingChange = { [query = features.query] in
            for path in ["/array", "/meter"] { query.announceChange(path) }
        }
    }

    /// Lists and disconnects OSC clients together with those of the web server.
    func connectClients() {
        web.connections.otherClients = { [dispatcher] in dispatcher.clients }
        web.connections.kickOther = { [dispatcher] in dispatcher.kick($0) }
        engine.hub.onSet(engine.tree.index(ClientParameter.kick)) { [web] value, _ in
            let id = Int(clamping: value.numbers[0])
            guard web.connections.kick(id) else { throw RequestError("no client has the number \(id); the clients topic lists them") }
        }
    }

    /// Offers each listener's sound to clients.
    func connectSound() {
        let positions = engine.lines.network.positions
        for (index, lines) in engine.lines.listeners.enumerated() {
            let gate = lines.isHeard.take()
            features.streams.add(
                AudioStream(
                    listener: index + 1, rate: engine.format.rate, source: lines.ears.take(),
                    position: { Int64(positions[index]) }, hear: { clients, _ in gate.set(clients > 0) }))
        }
        connectNetworkSound()
    }

    /// Offers the sound of listeners on the network, and listeners of their own to clients that ask for one.
    private func connectNetworkSound() {
        let (listeners, positions) = (engine.listeners.network, engine.lines.network.positions)
        engine.onListener = { [unowned self] index, lines in
            let gate = lines.isHeard.take()
            features.streams.add(
                AudioStream(
                    listener: index + 1, rate: engine.format.rate, source: lines.ears.take(),
                    position: { Int64(positions[index]) },
                    hear: { clients, renderers in
                        gate.set(clients > 0)
                        listeners.hear(number: index + 1, clients: clients, renderers: renderers)
                    }))
        }
        features.streams.isPresent = { listeners.isPresent(number: $0) }
        features.streams.named = { listeners.number(named: $0) }
        features.streams.refusal = { listeners.refusal(token: $0, waiting: $1) }
        features.streams.owner = { listeners.owner(token: $0) }
        features.streams.isOwner = { listeners.isOwner(token: $0, number: $1) }
        features.streams.hold = { listeners.hold(token: $0, $1) }
        features.streams.join = { token in
            let joined = try listeners.join(token: token)
            return (joined.number, joined.token)
        }
    }

    /// Connects the participant's page of listening tests.
    func connectParticipants() {
        features.participants.receive = { [tests = engine.tests] in tests.receive($0) }
        features.participants.view = engine.tests.viewText
        features.participants.isBlind = { [tests = engine.tests] in tests.isBlind }
        engine.tests.onView = { [participants = features.participants] in participants.show($0) }
        engine.tests.onPosition = { [participants = features.participants] in participants.show(position: $0) }
    }

    /// Sends telemetry and log lines to clients that subscribe to them.
    func connectTelemetry() {
        let (telemetry, service) = (engine.telemetry, features.telemetry)
        service.collect = { telemetry.collect() }
        service.sources.histogram = { telemetry.motionToSoundHistogram }
        service.sources.latencies = { telemetry.listenerLatencies }
        service.sources.engine = { telemetry.reportedState }
        telemetry.slots = { [racks = engine.racks] in racks.takeMeters() }
        telemetry.tap = { service.report($0) }
        log.tap = { service.note($0) }
        web.loop.every(1000) { [log] in log.tick() }
        features.metrics.logLinesLeftOut = { [log] in log.leftOut }
        features.metrics.lostDeviceFrames = { [engine] in engine.lostDeviceFrames }
    }

    /// Sends poses to other programs, at most 100 times a second.
    func startRelays() throws {
        let (telemetry, relays) = (engine.telemetry, PoseRelays(hub: engine.hub))
        for text in options.trackers.relay {
            let destination = try TrackerOption.relay(text, listeners: engine.tree.listeners)
            relays.add(
                try PoseRelay(destination.profile, host: destination.host, port: destination.port), listener: destination.listener - 1)
        }
        guard !relays.isEmpty else { return }
        web.loop.every(10) {
            telemetry.collect()
            telemetry.publishListeners()
            relays.send(now: rt_now())
        }
    }

    /// Logs the panel's address and writes the ready file when the first block has been rendered.
    func reportWhenReady() {
        let (network, device) = (options.network, options.sound.device)
        let panel = access.panel(web.port)
        let format = engine.format
        let ready = ReadyFile(
            panel: panel, host: network.bind, oscPort: Int(receiver.port), httpPort: web.port, device: device, rate: format.rate,
            period: format.period, pid: getpid(), trackerPorts: attached.map { Int($0.port) })
        web.loop.every(5) { [unowned self] in
            guard !isReady, engine.telemetry.state.blocks > 0 else { return }
            isReady = true
            for line in hints.map({ "hint: \($0)" }) + access.lines(web.port) { log.write(line) }
            log.write("panel: \(panel)   OSC: UDP port \(receiver.port)   device: \(device), \(format.rate) Hz, \(format.period) frames")
            for (number, _) in attached { if let summary = trackers.summary(number) { log.write(summary) } }
            if PairingPrompt.isPossible, options.logFormat == .text { showPairingCode() }
            web.loop.turns.forget()
            guard let path = options.readyFile else { return }
            do { try ready.write(path) } catch { engine.hub.notice("the ready file \(path) cannot be written: \(error)") }
        }
    }
}
