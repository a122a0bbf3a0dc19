internal import Parameters

/// Values as payloads of Homie 5, both ways, and their descriptions.
enum HomieValue {
    /// The word that triggers an action.
    static let trigger = "trigger"

    /// The attributes of a property as JSON; nil for parameters that Homie has no type for.
    static func description(_ spec: ParameterSpec) -> [UInt8]? {
        guard let (type, format) = type(spec) else { return nil }
        var members = [("name", MQTTValue.quoted(spec.title)), ("datatype", MQTTValue.quoted(type))]
        if let format { members.append(("format", MQTTValue.quoted(format))) }
        if let unit = unit(spec.unit) { members.append(("unit", MQTTValue.quoted(unit))) }
        members.append(("settable", Array((spec.access == .read ? "false" : "true").utf8)))
        members.append(("retained", Array((spec.access == .write ? "false" : "true").utf8)))
        return HomieDevice.object(members)
    }

    private static func type(_ spec: ParameterSpec) -> (type: String, format: String?)? {
        switch spec.kind {
        case .toggle: ("boolean", nil)
        case .integer: ("integer", spec.access == .read ? nil : range(spec))
        case .number: ("float", spec.access == .read ? nil : range(spec))
        case .choice(let names):
            names.contains { $0.contains(",") } || names.isEmpty ? ("string", nil) : ("enum", names.joined(separator: ","))
        case .text: ("string", nil)
        case .impulse: ("enum", trigger)
        case .vector, .list: nil
        }
    }

    private static func range(_ spec: ParameterSpec) -> String {
        [spec.range.lowerBound, spec.range.upperBound].map { String(decoding: MQTTValue.number($0), as: UTF8.self) }.joined(separator: ":")
    }

    private static func unit(_ unit: ParameterSpec.Unit) -> String? {
        switch unit {
        case .decibel: "dB"
        case .hertz: "Hz"
        case .second: "s"
        case .millisecond: "ms"
        case .degree: "°"
        case .metre: "m"
        case .cent: "cents"
        case .beatsPerMinute: "bpm"
        case .degreesPerMinute: "°/min"
        case .percent: "%"
        case .partsPerMillion: "ppm"
        case .celsius: "°C"
        case .kilobitsPerSecond: "kbit/s"
        case .none, .linearGain, .sample: nil
        }
    }

    /// The payload of a value. A text without characters is a byte 0, since an empty payload would remove the value.
    static func payload(_ spec: ParameterSpec, _ value: ParameterValue) -> [UInt8] {
        switch spec.arguments(value).first {
        case .string(let text): text.isEmpty ? [0] : Array(text.utf8)
        case .bool(let value): Array((value ? "true" : "false").utf8)
        case .int(let value): Array(value.description.utf8)
        case .float(let value): MQTTValue.number(value.isFinite ? value : 0)
        case .double(let value): MQTTValue.number(value.isFinite ? value : 0)
        case .other, .unreadable, nil: [0]
        }
    }

    /// The arguments in a command.
    /// - Throws: ``MQTTValue/Refusal``.
    static func arguments(_ spec: ParameterSpec, _ text: String) throws(MQTTValue.Refusal) -> [Argument] {
        switch spec.kind {
        case .toggle:
            guard text == "true" || text == "false" else { throw .init(description: "the payload must be true or false") }
            return [.bool(text == "true")]
        case .integer:
            guard let number = Int32(text) else { throw .init(description: "the payload must be a whole number") }
            return [.int(number)]
        case .number:
            guard let number = Double(text), number.isFinite else { throw .init(description: "the payload must be a number") }
            return [.double(number)]
        case .impulse:
            guard text == trigger else { throw .init(description: "the payload must be \(trigger)") }
            return []
        case .choice: return [.string(text)]
        case .text: return [.string(text == "\0" ? "" : text)]
        case .vector, .list: throw .init(description: "it has no corresponding Homie type")
        }
    }
}
