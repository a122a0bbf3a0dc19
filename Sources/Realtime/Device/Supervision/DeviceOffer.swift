internal import Parameters

/// A device that can be selected for playing.
package struct DeviceOffer: Equatable, Sendable {
    /// The name for ``DeviceSpecification``.
    package let specification: String
    let summary: String
    /// Numbers of channels, and rates in frames per second; empty when they are not known.
    let channels: String
    let rates: String

    /// Name, description, channels and rates, separated by tabs.
    package var line: String { [specification, summary, channels, rates].joined(separator: "\t") }

    /// The devices of this machine; opens those that are new.
    ///
    /// - Parameters:
    ///   - known: the devices as they were found before.
    ///   - status: the devices in use, which are not opened.
    ///   - rate: of the engine, frames per second.
    package static func all(known: [DeviceOffer], _ status: DeviceStatus, rate: Int) -> [DeviceOffer] {
        let timer = DeviceOffer(specification: "timer", summary: "No sound card", channels: "", rates: "")
        // ALSA's own plugin for JACK would open clients beside those of JACKClient.
        let alsa = ALSANames.all(.playback).filter { $0 != "jack" }.map { name in
            let specification = "alsa:\(name)"
            if let old = known.first(where: { $0.specification == specification && !$0.rates.isEmpty }) { return old }
            let isInUse = status.device == .alsa(name)
            let offer = isInUse ? ("\(status.channels)", "\(rate)") : ALSAOffer.read(name)
            return DeviceOffer(
                specification: specification, summary: ALSANames.summary(name), channels: offer?.channels ?? "", rates: offer?.rates ?? "")
        }
        return [timer] + jack(status, rate) + alsa
    }

    /// The JACK server, if one runs.
    private static func jack(_ status: DeviceStatus, _ rate: Int) -> [DeviceOffer] {
        // libjack is not called while one of the engine's own clients is looking for its server.
        guard case .jack = status.device else { return JACKDevice.offered().map { [$0] } ?? [] }
        guard status.state == .playing else { return [] }
        return [DeviceOffer(specification: "jack", summary: "JACK server", channels: "\(status.channels)", rates: "\(rate)")]
    }
}

/// A sound device that can be named for playing or recording.
package struct SoundDevice: Sendable {
    /// The ways in which a device can be used.
    package enum Direction: Sendable, CustomStringConvertible {
        case output, input, both

        package var description: String {
            switch self {
            case .output: "output"
            case .input: "input"
            case .both: "output/input"
            }
        }
    }

    /// The name for ``DeviceSpecification``: `alsa:NAME` or `jack`.
    package let specification: String
    package let direction: Direction
    /// Description in one line.
    package let summary: String

    /// The JACK server, if one runs, and the devices that ALSA lists, in its order; names with arguments (`hw:0,0`) are understood as well.
    package static func all() -> [SoundDevice] {
        let (outputs, inputs) = (ALSANames.all(.playback), ALSANames.all(.capture))
        let names = outputs + inputs.filter { !outputs.contains($0) }
        return JACKDevice.listed()
            + names.map { name in
                let direction: Direction = !inputs.contains(name) ? .output : outputs.contains(name) ? .both : .input
                return SoundDevice(specification: "alsa:\(name)", direction: direction, summary: ALSANames.summary(name))
            }
    }
}
