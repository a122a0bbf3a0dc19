import CRealtime
import Engine
import Hub
import MQTT
import OSCControl
import Threads
import Trackers
import Trust
import Web

/// The loop of the control thread, and the wakes by other threads.
extension Server {
    /// Makes each wake of the loop take what other threads have queued: files that were read, a request for a pairing code, OSC, MIDI,
    /// MQTT, reports.
    func connectLoop() throws {
        let handle = web.loop.handle
        let canPrompt = PairingPrompt.isPossible && options.logFormat == .text
        let prompt = try canPrompt && access.tokens != nil ? PairingPrompt { handle.wake() } : nil
        engine.files.onRead { handle.wake() }
        engine.hub.onPause = { handle.wake() }
        engine.hub.turn = 4_000_000
        web.loop.onWake = { [unowned self] in
            engine.hub.settle(now: rt_now())
            if prompt?.take() == true { showPairingCode() }
            if dispatcher.drain() { handle.wake() }
            takeMIDI()
            broker.bridge?.take()
            takeReports()
        }
    }

    /// Lets reports of other threads wake the loop, also those about threads that the system does not allow.
    func connectReports() throws {
        let handle = web.loop.handle
        reports.onReport { handle.wake() }
        recognised.onReport { handle.wake() }
        try SpareThread.start { [reports] in reports.add($0) }
    }

    /// Turns reports into notices, and lists recognised trackers.
    private func takeReports() {
        for text in reports.take() { engine.hub.notice(text) }
        for profile in recognised.take() { trackers.recognised(profile) }
    }

    /// Logs a code for pairing a phone.
    func showPairingCode() {
        guard let code = web.pairing.offer(.control, .phone) else { return }
        for line in ServerAccess.lines(code) { log.show(line) }
    }
}
