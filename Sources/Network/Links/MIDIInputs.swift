internal import CRealtime
internal import MIDI
public import Threads

/// The MIDI inputs of a run, as the command line names them.
public final class MIDIInputs {
    private let inputs: [MIDIInput]

    /// The word for no inputs at all.
    public static let none = "none"

    /// Opens the inputs and starts their threads.
    ///
    /// - Parameters:
    ///   - names: parts of the names of sequencer ports, and paths of raw MIDI ports; none for all ports of the sequencer,
    ///     and ``none`` for no inputs.
    ///   - report: called with what cannot be used. A system without a sequencer is reported only where a port is named.
    public init(_ names: [String], queue: MIDIQueue, report: (String) -> Void) {
        let paths = names.filter { $0.hasPrefix("/") }
        let devices = names.filter { !$0.hasPrefix("/") }
        var inputs: [MIDIInput] = []
        func add(_ name: String, _ port: sending any MIDIPort) {
            do throws(ThreadError) { inputs.append(try MIDIInput(port, queue: queue)) } catch {
                report("MIDI from \(name) is not read: \(error)")
            }
        }
        for path in paths { add(path, RawMIDIInput(path: path)) }
        if names.isEmpty || !devices.isEmpty && devices != [Self.none] {
            let sequencer = SequencerInput(devices)
            if !sequencer.isThere, !devices.isEmpty {
                report(
                    "--midi \(devices.joined(separator: ", ")): this machine has no MIDI sequencer (/dev/snd/seq); waiting for it, "
                        + "try `sudo modprobe snd-seq`")
            }
            add("the sequencer", sequencer)
        }
        self.inputs = inputs
    }

    public func stop() { for input in inputs { input.stop() } }
}

/// The thread that reads one MIDI port, and finds devices that are connected later.
public final class MIDIInput {
    private let thread: LinkThread

    /// Milliseconds between two searches for devices.
    private static let retry: Int32 = 1000

    /// Starts the thread at once.
    /// - Parameter port: used by the thread alone from now on.
    /// - Throws: ``ThreadError`` when the system does not allow the thread.
    public init(_ port: sending any MIDIPort, queue: MIDIQueue) throws(ThreadError) {
        let number = queue.add()
        // SAFETY: the caller has given the port away; only the thread uses it.
        nonisolated(unsafe) let port = port
        thread = try LinkThread(name: "MIDI") { thread in
            var parser = MIDIParser()
            var connected: [String] = []
            var searched: UInt64?
            while !thread.shouldEnd {
                let now = rt_now()
                if searched.map({ now - $0 >= UInt64(Self.retry) * 1_000_000 }) ?? true {
                    let names = port.connect()
                    if names != connected { queue.show(names, of: number) }
                    (connected, searched) = (names, now)
                }
                guard thread.wait(port.descriptor, milliseconds: Self.retry) else { continue }
                let isThere = port.read { bytes in
                    let time = rt_now()
                    for message in parser.take(bytes) { queue.push(ReceivedMIDI(message: message, time: time)) }
                }
                guard !isThere else { continue }
                // A message that the device had begun is lost.
                parser = MIDIParser()
                queue.show([], of: number)
                connected = []
                // A device file that ends at once would otherwise be opened without pause.
                _ = thread.wait(milliseconds: Self.retry)
                searched = nil
            }
        }
    }

    public func stop() { thread.stop(waits: true) }
}

/// A source of MIDI bytes: the sequencer, a raw MIDI port, or a simulated one.
public protocol MIDIPort: AnyObject {
    /// Descriptor that becomes readable; -1 while there is none.
    var descriptor: Int32 { get }

    /// Connects to the devices that are present by now.
    /// - Returns: names of all connected devices.
    func connect() -> [String]

    /// Reads pending bytes.
    /// - Returns: false when a device has been unplugged.
    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool
}
