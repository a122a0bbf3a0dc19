internal import Foundation
internal import Parameters

extension SessionFile {
    /// The file as JSON has it.
    struct Fields: Codable {
        var version: Int
        var recording: String?
        var parameters: [String: Value]?
        /// Written here; read with their lines, apart from the rest.
        var racks: [String: RackFile.Document]?

        enum CodingKeys: CodingKey { case version, recording, parameters, racks }

        init(version: Int, recording: String?, parameters: [String: Value], racks: [String: RackFile.Document]?) {
            self.version = version
            self.recording = recording
            self.parameters = parameters
            self.racks = racks
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            version = try container.decode(Int.self, forKey: .version)
            recording = try container.decodeIfPresent(String.self, forKey: .recording)
            parameters = try container.decodeIfPresent([String: Value].self, forKey: .parameters)
        }

        /// A number, a text, true or false, or a row of those.
        struct Value: Codable {
            var arguments: [Argument]

            init(_ arguments: [Argument]) { self.arguments = arguments }

            init(from decoder: any Decoder) throws {
                if var row = try? decoder.unkeyedContainer() {
                    arguments = []
                    while !row.isAtEnd { arguments += try row.decode(Value.self).arguments }
                    return
                }
                let single = try decoder.singleValueContainer()
                if let bool = try? single.decode(Bool.self) {
                    arguments = [.bool(bool)]
                } else if let number = try? single.decode(Float.self) {
                    arguments = [.float(number)]
                } else if let text = try? single.decode(String.self) {
                    arguments = [.string(text)]
                } else {
                    throw DecodingError.dataCorruptedError(
                        in: single, debugDescription: "neither a number, nor a text, nor true or false")
                }
            }

            func encode(to encoder: any Encoder) throws {
                guard arguments.count == 1 else {
                    var row = encoder.unkeyedContainer()
                    for argument in arguments { try row.encode(Value([argument])) }
                    return
                }
                var single = encoder.singleValueContainer()
                switch arguments[0] {
                case .bool(let bool): try single.encode(bool)
                case .string(let text): try single.encode(text)
                default: try single.encode(arguments[0].number ?? 0)
                }
            }
        }
    }
}

extension SessionError {
    /// A decoding error in words, with the line it is about.
    init(_ error: any Error, path: String, text: String) {
        func make(_ context: DecodingError.Context?, _ field: String?, _ reason: String, _ remedy: String) -> SessionError {
            let name = field ?? context?.codingPath.last { $0.intValue == nil }?.stringValue
            return SessionError(
                path: path, line: name.flatMap { SessionFile.line(of: $0, in: text) }, field: name, reason: reason,
                remedy: remedy)
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, _)?:
            self = make(nil, key.stringValue, "the field is missing", "write \"\(key.stringValue)\": 1")
        case .typeMismatch(let type, let context)?, .valueNotFound(let type, let context)?:
            self = make(context, nil, "has the wrong type", "\(Self.words(type)) would be right")
        case .dataCorrupted(let context)? where !context.codingPath.isEmpty:
            self = make(context, nil, context.debugDescription, "write a value of one of these kinds")
        default:
            self = Self.syntax(path: path, text: text)
        }
    }

    private static func words(_ type: any Any.Type) -> String {
        switch type {
        case is Int.Type, is Float.Type: "a number"
        case is String.Type: "a text"
        default: "an object with a value for each address"
        }
    }

    /// The file is not JSON at all; only JSONSerialization says where, by counting bytes.
    private static func syntax(path: String, text: String) -> SessionError {
        var reason = "this is not JSON"
        var line: Int?
        do { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) } catch {
            let words = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
            reason += " (\(words))"
            if let place = words.range(of: "character "), let offset = Int(words[place.upperBound...].prefix { $0.isNumber }) {
                line = text.utf8.prefix(offset).count { $0 == 10 } + 1
            }
        }
        return SessionError(
            path: path, line: line, field: nil, reason: reason, remedy: "mend it there, or save the session anew")
    }
}
