internal import CJACK

extension JACKDevice {
    /// The server that runs, with its format, as it is listed among the sound devices; empty without one.
    static func listed() -> [SoundDevice] {
        guard let client = try? JACKClient("vestibule-list") else { return [] }
        let (outputs, inputs) = (client.physicalPorts(JackPortIsInput).count, client.physicalPorts(JackPortIsOutput).count)
        let summary = "JACK server: \(outputs) outputs, \(inputs) inputs, \(client.rate) Hz, \(client.cycle) frames"
        return [SoundDevice(specification: "jack", direction: inputs > 0 ? .both : .output, summary: summary)]
    }

    /// The running server as a device that can be selected; nil without one.
    static func offered() -> DeviceOffer? {
        guard let client = try? JACKClient("vestibule-list") else { return nil }
        let channels = client.physicalPorts(JackPortIsInput).count
        return DeviceOffer(specification: "jack", summary: "JACK server", channels: "\(channels)", rates: "\(client.rate)")
    }
}
