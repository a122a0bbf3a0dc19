internal import Files
internal import Foundation

extension TrackerProfile {
    /// Reads a user-defined profile from a JSON file.
    /// - Throws: ``TrackerProfileError``.
    public init(path: String) throws(TrackerProfileError) {
        let data: Data
        do { data = Data(try RegularFile(path).bytes(atMost: RegularFile.largestText)) } catch {
            throw TrackerProfileError(
                path: path, field: nil, reason: "the file cannot be read: \(error.reason)",
                remedy: "specify an existing JSON file; `vestibule trackers iem > mine.json` writes a template")
        }
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch let error as DecodingError {
            throw TrackerProfileError(error, path: path)
        } catch {
            throw TrackerProfileError(path: path, field: nil, reason: "\(error)", remedy: "correct the file at that position")
        }
    }
}

/// Error in a user-defined profile.
public struct TrackerProfileError: Error, Equatable, CustomStringConvertible {
    public let path: String
    /// Position in the file, such as `forms[1].layout`; nil for the whole file.
    public let field: String?
    public let reason: String
    public let remedy: String

    public var description: String {
        "the tracker profile \(path)\(field.map { ", field \($0)" } ?? ""): \(reason); \(remedy)"
    }
}

extension TrackerProfileError {
    init(_ error: DecodingError, path: String) {
        func make(_ context: DecodingError.Context, _ reason: String, _ remedy: String) -> Self {
            Self(path: path, field: Self.field(context.codingPath), reason: reason, remedy: remedy)
        }
        let compare = "compare with `vestibule trackers iem`"
        switch error {
        case .keyNotFound(let key, let context): self = make(context, "\"\(key.stringValue)\" is missing", compare)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = make(context, "the value has the wrong type", compare)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            let words = (context.underlyingError as? NSError)?.userInfo["NSDebugDescription"] as? String
            self = make(context, "the file is not JSON" + (words.map { " (\($0))" } ?? ""), "correct the file at that position")
        case .dataCorrupted(let context):
            let isOwnMessage = context.debugDescription.first?.isLowercase == true
            self = make(context, isOwnMessage ? context.debugDescription : "the value is not allowed here", compare)
        @unknown default: self.init(path: path, field: nil, reason: "\(error)", remedy: compare)
        }
    }

    private static func field(_ path: [any CodingKey]) -> String? {
        guard !path.isEmpty else { return nil }
        return path.reduce(into: "") { text, key in
            if let index = key.intValue { text += "[\(index)]" } else { text += (text.isEmpty ? "" : ".") + key.stringValue }
        }
    }
}
