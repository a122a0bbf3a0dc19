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
