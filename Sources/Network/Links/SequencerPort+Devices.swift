internal import CALSA

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
