internal import Foundation
internal import Parameters

/// Values as JSON, both ways.
enum MQTTValue {
    /// Error of a payload, in words.
    struct Refusal: Error, CustomStringConvertible, Equatable {
        let description: String

        init(description: String) { self.description = description }

        /// - Parameter excess: bytes of a payload that is too large.
        init(excess: Int) {
            description = "a payload of \(excess) bytes is too large; at most \(MQTTArrival.largestPayload) are accepted"
        }
    }

    /// The JSON of a parameter's value: one element for a single value, an array for vectors and lists.
    static func json(_ spec: ParameterSpec, _ value: ParameterValue) -> [UInt8] {
        let elements = spec.arguments(value).map(json)
        let isSingle = spec.isScalar || spec.kind == .text
        if isSingle, elements.count == 1 { return elements[0] }
        return [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private static func json(_ argument: Argument) -> [UInt8] {
        switch argument {
        case .int(let value): Array(value.description.utf8)
        case .float(let value): number(value)
        case .double(let value): number(value)
        case .bool(let value): Array((value ? "true" : "false").utf8)
        case .string(let text): quoted(text)
        case .other, .unreadable: Array("null".utf8)
        }
    }

    /// A number in its shortest notation; null for one that is not finite.
    static func number(_ value: some BinaryFloatingPoint & LosslessStringConvertible) -> [UInt8] {
        guard value.isFinite else { return Array("null".utf8) }
        let text = value.description
        return Array((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }

    static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x20...: bytes.append(byte)
            default: bytes += Array("\\u00".utf8) + Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }

    // MARK: Reading

    /// The arguments in a payload: one JSON value or an array of them; none for an empty payload or null.
    static func arguments(_ payload: [UInt8]) -> Result<[Argument], Refusal> {
        if payload.isEmpty { return .success([]) }
        do {
            return switch try JSONDecoder().decode(Content.self, from: Data(payload)) {
            case .nothing: .success([])
            case .one(let argument): .success([argument])
            case .several(let arguments): .success(arguments)
            }
        } catch let refusal as Refusal { return .failure(refusal) } catch {
            return .failure(
                Refusal(description: "the payload must be a JSON number, a text in double quotes, true, false, null, or an array of these"))
        }
    }

    private enum Content: Decodable {
        case nothing, one(Argument), several([Argument])

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                var arguments: [Argument] = []
                while !list.isAtEnd {
                    guard arguments.count < MQTTArrival.mostValues else {
                        throw Refusal(description: "an array may have at most \(MQTTArrival.mostValues) values")
                    }
                    arguments.append(try list.decode(Element.self).argument)
                }
                self = .several(arguments)
                return
            }
            let single = try decoder.singleValueContainer()
            self = single.decodeNil() ? .nothing : .one(try single.decode(Element.self).argument)
        }
    }

    private struct Element: Decodable {
        let argument: Argument

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if let value = try? single.decode(Bool.self) {
                argument = .bool(value)
            } else if let value = try? single.decode(Int32.self) {
                argument = .int(value)
            } else if let value = try? single.decode(Double.self) {
                argument = .double(value)
            } else {
                argument = .string(try single.decode(String.self))
            }
        }
    }
}
