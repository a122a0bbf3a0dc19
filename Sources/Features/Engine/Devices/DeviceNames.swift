import Device

/// The devices that clients of the network may name.
///
/// ALSA's names can contain paths of files to write (`tee:default,'/path'`), so only listed names and plain arguments are accepted.
struct DeviceNames {
    /// Maximum number of preferred devices.
    static let most = 16
    /// Kinds of ALSA devices that are addressed by the number or name of a card.
    private static let kinds: Set<Substring> = ["hw", "plughw", "default", "sysdefault", "front", "dmix", "iec958", "hdmi"]

    /// The device of the command line; nil when it cannot be exchanged.
    let first: DeviceSpecification?
    /// Specifications of the available devices.
    var listed: [String] = []

    /// - Throws: `RequestError` that lists the accepted values.
    func device(_ text: String) throws(RequestError) -> DeviceSpecification {
        guard let first else {
            throw RequestError("the engine renders to a file, which cannot be changed; start it with --device timer, alsa:NAME or jack")
        }
        let known = listed.isEmpty ? "timer, \(first)" : listed.joined(separator: ", ")
        guard let device = DeviceSpecification.parse(text) else {
            throw RequestError("there is no device \"\(text)\"; available: \(known)")
        }
        switch device {
        case _ where device == first: return device
        case .timer, .jack: return device
        case .file: throw RequestError("only the command line renders to a file (--device \(text)); available: \(known)")
        case .alsa(let name):
            guard listed.contains(text) || Self.isCard(name) else {
                throw RequestError("there is no device \"\(text)\"; available: \(known); and cards by their number, such as alsa:hw:0,0")
            }
            return device
        }
    }

    /// - Parameter text: names, one per line.
    func order(_ text: String) throws(RequestError) -> [DeviceSpecification] {
        let lines = text.split(separator: "\n").map { String($0) }
        guard lines.count <= Self.most else { throw RequestError("\(lines.count) devices are too many; give up to \(Self.most)") }
        return try lines.map { text throws(RequestError) in try device(text) }
    }

    /// Whether a name is a kind of device and a card, such as `hw:0,0` or `plughw:CARD=USB,DEV=0`.
    private static func isCard(_ name: String) -> Bool {
        let parts = name.split(separator: ":", maxSplits: 1)
        guard let kind = parts.first, kinds.contains(kind) else { return false }
        return parts.count == 1 || parts[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "=,_-".contains($0)) }
    }
}
