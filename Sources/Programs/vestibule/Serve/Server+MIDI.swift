import Engine
import Hub
import Links

/// MIDI ports of this machine act on the engine.
extension Server {
    /// Starts to listen to MIDI ports.
    func startMIDI() {
        let reports = reports
        midi.inputs = MIDIInputs(options.midi.names, queue: midi.queue) { reports.add($0) }
    }

    /// Applies what controllers have sent since the last call.
    func takeMIDI() {
        for received in midi.queue.take() { engine.controllers.midi.take(received.message, time: received.time) }
        if let names = midi.queue.takeNames() { engine.controllers.midi.publish(inputs: names) }
    }
}
