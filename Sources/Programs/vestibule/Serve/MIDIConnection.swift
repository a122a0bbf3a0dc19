import Links

/// MIDI ports of this machine: their messages, and the threads that read them once they are started.
struct MIDIConnection {
    let queue: MIDIQueue
    var inputs: MIDIInputs?
}
