import MIDI

/// Streams of MIDI bytes, and texts of mappings. Positions stay within 0 to 1, whatever comes; the text of a mapping is read
/// back as the same mapping.
final class MIDIFuzz: FuzzTarget {
    private var parser = MIDIParser()
    private var reader = ControllerReader()

    func run(_ bytes: UnsafeRawBufferPointer) {
        let mapping = try? MIDIMapping(String(decoding: bytes, as: UTF8.self))
        if let mapping { precondition((try? MIDIMapping("\(mapping)")) == mapping, "\(mapping)") }
        for message in parser.take(bytes) {
            for reading in reader.take(message) {
                precondition((0...1).contains(reading.share) && (1...16).contains(reading.channel), "\(reading)")
                if let mapping { precondition((0...1).contains(mapping.position(reading.share)), "\(mapping) at \(reading)") }
            }
        }
    }
}
