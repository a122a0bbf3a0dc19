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
