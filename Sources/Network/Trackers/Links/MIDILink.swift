internal import Links

/// Link to a USB-MIDI tracker through the ALSA sequencer: finds it by name, switches it on, and waits while it is
/// unplugged.
final class MIDILink: TrackerLink {
    private let thread: LinkThread

    /// Milliseconds between two searches for an absent tracker.
    private static let retry: Int32 = 1000

    /// - Parameters:
    ///   - name: a part of the name of its MIDI client.
    ///   - numbers: numbers per row of its controllers.
    ///   - begin: messages sent to it when it has been found; `end` is sent before disconnecting. Whole MIDI messages.
    ///   - output: descriptor for packets, closed by the link.
    ///   - report: receives messages for the user, on the thread.
    /// - Throws: ``TrackerSourceError`` when the system allows no thread; `output` then stays open.
    init(
        name: String, numbers: Int, begin: [UInt8], end: [UInt8], output: Int32,
        report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        thread = try LinkThread(tracker: name, name: "tracker MIDI", output: output) { thread in
            var isReported = false
            while !thread.shouldEnd {
                if let port = SequencerPort("tracker") {
                    Self.serve(port, name, MIDIDecoder(numbers: numbers), begin: begin, end: end, isReported, thread, report)
                } else if !isReported {
                    report("this machine has no MIDI sequencer (/dev/snd/seq); waiting for it, try `sudo modprobe snd-seq`")
                    isReported = true
                }
                _ = thread.wait(milliseconds: Self.retry)
            }
        }
    }

    /// Reads until the thread has to end.
    ///
    /// - Parameter wasReported: whether the user knows that the tracker is absent.
    private static func serve(
        _ port: SequencerPort, _ name: String, _ decoder: MIDIDecoder, begin: [UInt8], end: [UInt8], _ wasReported: Bool,
        _ thread: LinkThread, _ report: (String) -> Void
    ) {
        var (decoder, isFound, isReported, present) = (decoder, false, wasReported, [String]?.none)
        while !thread.shouldEnd {
            if !isFound {
                isFound = port.connect(name)
                let names = port.devices().map(\.name)
                if isFound {
                    if isReported { report("\(name) is connected") }
                    port.send(begin)
                } else if present != names {
                    // Reported again when other ports come or go.
                    let others = names.isEmpty ? "there are no MIDI ports" : "MIDI ports: \(names.joined(separator: ", "))"
                    report("no MIDI port named \(name) found; waiting for it (\(others))")
                    (isReported, present) = (true, names)
                }
            }
            guard thread.wait(port.descriptor, milliseconds: isFound ? -1 : retry) else { continue }
            let isThere = port.read { bytes in
                for packet in decoder.take(bytes) { thread.send(packet) }
            }
            if isFound, !isThere {
                (isFound, isReported, present) = (false, true, port.devices().map(\.name))
                report("\(name) was disconnected; waiting for it to return")
            }
        }
        if isFound { port.send(end) }
    }

    func stop(waits: Bool) { thread.stop(waits: waits) }
}

/// MIDI messages for Supperware's Head Tracker 1. Source: the manufacturer's MIDI specification and its ht-api-juce.
enum Supperware {
    /// Sensors on at 100 Hz (parameter 0: 28), quaternions (parameter 1: 05), compass messages (parameter 3: 40).
    static let begin: [UInt8] = [0xF0, 0x00, 0x21, 0x42, 0x00, 0x00, 0x28, 0x01, 0x05, 0x03, 0x40, 0xF7]
    /// Sensors off.
    static let end: [UInt8] = [0xF0, 0x00, 0x21, 0x42, 0x00, 0x00, 0x40, 0xF7]
}
