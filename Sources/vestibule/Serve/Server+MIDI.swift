import Engine
import Links

/// MIDI devices of this machine act on the engine.
extension Server {
    /// Starts to listen to MIDI devices.
    func startMIDI() {
        let reports = reports
        midiInputs = MIDIInputs(options.midi.names, queue: midi) { reports.add($0) }
    }

    /// Applies what devices have sent since the last call.
    func takeMIDI() {
        for received in midi.take() { engine.midi.take(received.message, time: received.time) }
        if let names = midi.takeNames() { engine.midi.publish(inputs: names) }
    }
}
