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
    /// - Throws: ``TrackerSourceError`` when the system has no sequencer or allows no thread; `output` then stays open.
    init(
        name: String, numbers: Int, begin: [UInt8], end: [UInt8], output: Int32,
        report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        guard let port = SequencerPort("tracker") else {
            throw TrackerSourceError(
                text: name, reason: "this machine has no MIDI sequencer (/dev/snd/seq); try `sudo modprobe snd-seq`")
        }
        thread = try LinkThread(tracker: name, name: "tracker MIDI", output: output) { thread in
            var decoder = MIDIDecoder(numbers: numbers)
            var isFound = false
            var isReported = false
            while !thread.shouldEnd {
                if !isFound {
                    isFound = port.connect(name)
                    if isFound {
                        if isReported { report("\(name) is connected") }
                        port.send(begin)
                    } else if !isReported {
                        report("no MIDI port named \(name) found; waiting for it")
                        isReported = true
                    }
                }
                guard thread.wait(port.descriptor, milliseconds: isFound ? -1 : Self.retry) else { continue }
                let isThere = port.read { bytes in
                    for packet in decoder.take(bytes) { thread.send(packet) }
                }
                if isFound, !isThere {
                    (isFound, isReported) = (false, true)
                    report("\(name) was disconnected; waiting for it to return")
                }
            }
            if isFound { port.send(end) }
        }
    }

    func stop(waits: Bool) { thread.stop(waits: waits) }
}
