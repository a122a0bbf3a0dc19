internal import Effects
public import FileOutput
internal import Files
internal import Foundation
internal import Parameters
public import Rack

extension RackFile {
    /// Writes a rack as a whole, or leaves the previous file unchanged.
    public static func write(
        _ rack: RackDescription, title: String, to path: String, existing: OutputFile.Existing = .refused
    ) throws(SessionError) {
        let encoder = JSONEncoder.file
        do { try OutputFile.write([UInt8](encoder.encode(Document(rack, title: title))), to: path, existing: existing) } catch {
            throw SessionError(
                path: path, line: nil, field: nil, reason: "the file was not written",
                remedy: (error as? OutputError)?.reason ?? "\(error)", subject: "rack")
        }
    }

    /// A rack as it is encoded in files.
    struct Document: Encodable {
        private let fields: [String: any Encodable]

        init(_ rack: RackDescription, title: String? = nil) {
            var fields: [String: any Encodable] = rack.unknown
            fields["version"] = RackFile.version
            if let title, !title.isEmpty { fields["title"] = title }
            fields["slots"] = rack.places.map(Place.init)
            if rack.state.isBypassed { fields["bypass"] = true }
            if rack.state.side != .a { fields["side"] = rack.state.side.name }
            if let other = rack.state.other { fields["other"] = other.map(Place.init) }
            self.fields = fields
        }

        func encode(to encoder: any Encoder) throws { try encoder.write(fields) }
    }

    enum Place: Encodable {
        case slot(Slot)
        case branches(Branches)

        init(_ place: RackDescription.Place) {
            switch place {
            case .slot(let slot): self = .slot(Slot(slot))
            case .branches(let rows, let mix):
                self = .branches(.init(branches: rows.map { $0.map(Slot.init) }, mix: mix.map(Number.init)))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .slot(let slot): try slot.encode(to: encoder)
            case .branches(let branches): try branches.encode(to: encoder)
            }
        }
    }

    struct Branches: Encodable {
        let branches: [[Slot]]
        let mix: [Number]
    }

    struct Slot: Encodable {
        private let fields: [String: any Encodable]

        init(_ slot: RackDescription.Slot) {
            var fields: [String: any Encodable] = slot.unknown
            fields["effect"] = slot.kind.name
            if let number = slot.number { fields["slot"] = number }
            if slot.bypass { fields["bypass"] = true }
            if slot.mix != slot.kind.wetDry.initial { fields["mix"] = Number(slot.mix) }
            let settings = Settings(slot)
            if !settings.fields.isEmpty { fields["parameters"] = settings }
            self.fields = fields
        }

        func encode(to encoder: any Encoder) throws { try encoder.write(fields) }
    }

    /// The settings that differ from their initial values.
    struct Settings: Encodable {
        let fields: [String: any Encodable]

        init(_ slot: RackDescription.Slot) {
            var fields: [String: any Encodable] = slot.unknownParameters
            for (place, parameter) in slot.kind.parameters.enumerated() {
                let spec = parameter.spec
                if let text = slot.texts[parameter.name] {
                    fields[parameter.name] = text
                } else if spec.isScalar, slot.values[place] != spec.initial.numbers[0] {
                    fields[parameter.name] = Value(spec.arguments(.number(slot.values[place]))[0])
                }
            }
            self.fields = fields
        }

        func encode(to encoder: any Encoder) throws { try encoder.write(fields) }
    }

    enum Value: Encodable {
        case number(Number)
        case text(String)
        case bool(Bool)

        init(_ argument: Argument) {
            switch argument {
            case .bool(let bool): self = .bool(bool)
            case .string(let text): self = .text(text)
            default: self = .number(Number(argument.number ?? 0))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try number.encode(to: encoder)
            case .text(let text): try container.encode(text)
            case .bool(let bool): try container.encode(bool)
            }
        }
    }

    /// A number with the digits of a `Float`, not of the nearest `Double`.
    struct Number: Encodable {
        let value: Float

        init(_ value: Float) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Decimal(string: "\(value)") ?? Decimal(Double(value)))
        }
    }
}
