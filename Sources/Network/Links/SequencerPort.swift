internal import CALSA
internal import Glibc

/// A port of this program at the ALSA sequencer.
// SAFETY: used by the thread of one link only, once that thread runs.
public final class SequencerPort: @unchecked Sendable {
    let sequencer: OpaquePointer
    private let codec: SequencerCodec
    let port: Int32
    /// Client and port of the device that messages are sent to.
    private var peer: (client: UInt8, port: UInt8)?
    public let descriptor: Int32

    /// Returns nil when the system has no sequencer.
    /// - Parameter name: name of the port, as other programs show it.
    public init?(_ name: String) {
        // Without one, the library would write to the standard error.
        guard access("/dev/snd/seq", F_OK) == 0 else { return nil }
        var opened: OpaquePointer?
        guard snd_seq_open(&opened, "default", Int32(SND_SEQ_OPEN_DUPLEX), Int32(SND_SEQ_NONBLOCK)) == 0, let opened else {
            return nil
        }
        snd_seq_set_client_name(opened, "Vestibule")
        let ways = UInt32(
            SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
        port = snd_seq_create_simple_port(
            opened, name, ways, UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
        var place = pollfd()
        guard port >= 0, let made = SequencerCodec(),
            snd_seq_poll_descriptors(opened, &place, 1, Int16(POLLIN)) == 1
        else {
            snd_seq_close(opened)
            return nil
        }
        sequencer = opened
        codec = made
        descriptor = place.fd
    }

    deinit {
        snd_seq_close(sequencer)
    }

    /// Connects with the first device whose client or port name contains `name`, in both directions; case is ignored.
    public func connect(_ name: String) -> Bool {
        for device in devices() where device.isNamed(name) && receive(device) {
            // Devices that only send are accepted as well.
            snd_seq_connect_to(sequencer, port, device.client, device.port)
            peer = (UInt8(device.client), UInt8(device.port))
            return true
        }
        return false
    }

    /// Receives what a device sends. A second time changes nothing.
    /// - Returns: false when it cannot be connected.
    func receive(_ device: SequencerDevice) -> Bool {
        let result = snd_seq_connect_from(sequencer, port, device.client, device.port)
        return result == 0 || result == -EBUSY
    }

    /// Sends one whole message to the device.
    public func send(_ bytes: [UInt8]) {
        guard let peer, var event = codec.event(bytes) else { return }
        event.source.port = UInt8(port)
        event.dest.client = peer.client
        event.dest.port = peer.port
        event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
        snd_seq_event_output_direct(sequencer, &event)
    }

    /// Reads pending messages, in pieces when they are long.
    /// - Returns: false when a device has been unplugged.
    public func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool {
        var event: UnsafeMutablePointer<snd_seq_event_t>?
        var isThere = true
        while snd_seq_event_input(sequencer, &event) >= 0, let event {
            if Int(event.pointee.type) == Int(SND_SEQ_EVENT_PORT_UNSUBSCRIBED.rawValue) {
                isThere = false
                peer = nil
                continue
            }
            codec.bytes(&event.pointee, body)
        }
        return isThere
    }
}

extension SequencerPort {
    /// All ports of others that can be received from.
    public func devices() -> [SequencerDevice] {
        var client: OpaquePointer?
        var device: OpaquePointer?
        snd_seq_client_info_malloc(&client)
        snd_seq_port_info_malloc(&device)
        defer {
            snd_seq_client_info_free(client)
            snd_seq_port_info_free(device)
        }
        var found: [SequencerDevice] = []
        let own = snd_seq_client_id(sequencer)
        snd_seq_client_info_set_client(client, -1)
        while snd_seq_query_next_client(sequencer, client) == 0 {
            let number = snd_seq_client_info_get_client(client)
            guard number != own, number != Int32(SND_SEQ_CLIENT_SYSTEM), let title = snd_seq_client_info_get_name(client) else { continue }
            snd_seq_port_info_set_client(device, number)
            snd_seq_port_info_set_port(device, -1)
            while snd_seq_query_next_port(sequencer, device) == 0 {
                let ways = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
                guard snd_seq_port_info_get_capability(device) & ways == ways else { continue }
                let titles = [String(cString: title)] + (snd_seq_port_info_get_name(device).map { [String(cString: $0)] } ?? [])
                let isHardware = snd_seq_port_info_get_type(device) & UInt32(SND_SEQ_PORT_TYPE_HARDWARE) != 0
                let place = snd_seq_port_info_get_port(device)
                found.append(SequencerDevice(client: number, port: place, titles: titles, isHardware: isHardware))
            }
        }
        return found
    }
}

/// A port of the ALSA sequencer that sends MIDI messages.
public struct SequencerDevice: Equatable, Sendable {
    public let client: Int32
    public let port: Int32
    /// Names of its client and of the port.
    public let titles: [String]
    /// False for a port of another program.
    public let isHardware: Bool

    /// The name of the client, and that of the port where it differs.
    public var name: String { titles.count == 2 && titles[0] != titles[1] ? "\(titles[0]): \(titles[1])" : titles.first ?? "" }

    /// Whether the name of its client or port contains `name`; case is ignored.
    public func isNamed(_ name: String) -> Bool { titles.contains { $0.lowercased().contains(name.lowercased()) } }
}

/// Devices of the ALSA sequencer: all that are attached to this machine, or those with certain names.
final class SequencerInput: MIDIPort {
    /// nil until the system has a sequencer.
    private var sequencer = SequencerPort("control")
    private let names: [String]

    /// - Parameter names: parts of the names of devices and programs; none for all devices.
    init(_ names: [String]) { self.names = names }

    /// Whether the system has a sequencer.
    var isThere: Bool { sequencer != nil }

    var descriptor: Int32 { sequencer?.descriptor ?? -1 }

    func connect() -> [String] {
        if sequencer == nil { sequencer = SequencerPort("control") }
        guard let sequencer else { return [] }
        let wanted = sequencer.devices().filter { device in
            names.isEmpty ? device.isHardware : names.contains { device.isNamed($0) }
        }
        return wanted.filter { sequencer.receive($0) }.map(\.name)
    }

    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool { sequencer?.read(body) ?? true }
}

/// Converts MIDI messages to events of the ALSA sequencer and back; needs no sequencer. Not thread-safe.
final class SequencerCodec {
    /// Bytes of the longest piece of a message.
    private static let longest = 256

    private let codec: OpaquePointer
    private var piece = [UInt8](repeating: 0, count: SequencerCodec.longest)

    /// Returns nil when there is no memory for it.
    init?() {
        var made: OpaquePointer?
        guard snd_midi_event_new(Self.longest, &made) == 0, let made else { return nil }
        // Every event becomes a whole message, without running status.
        snd_midi_event_no_status(made, 1)
        codec = made
    }

    deinit { snd_midi_event_free(codec) }

    /// Returns the event of one whole message; nil for bytes that are none.
    func event(_ bytes: [UInt8]) -> snd_seq_event_t? {
        guard !bytes.isEmpty else { return nil }
        var event = snd_seq_event_t()
        snd_midi_event_reset_encode(codec)
        guard snd_midi_event_encode(codec, bytes, bytes.count, &event) == bytes.count,
            event.type != UInt8(SND_SEQ_EVENT_NONE.rawValue)
        else { return nil }
        return event
    }

    /// Calls `body` with the bytes of an event, unless it stands for no message.
    func bytes(_ event: inout snd_seq_event_t, _ body: (ArraySlice<UInt8>) -> Void) {
        let count = snd_midi_event_decode(codec, &piece, piece.count, &event)
        if count > 0 { body(piece[..<count]) }
    }
}
