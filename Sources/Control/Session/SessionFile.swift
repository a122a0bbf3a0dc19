internal import FileOutput
internal import Files
package import Foundation
public import Parameters
public import Rack

/// The content of a session: the recording, every parameter that differs from its initial value, racks and scenes.
public struct SessionFile: Sendable, Equatable {
    /// The version this program writes; ``SessionMigration`` reads those before it.
    public static let version = 2
    public static let mostScenes = 200
    /// Addresses that this version does not know, in the session and in each scene.
    static let mostUnknown = 1000

    /// Path of the recording; nil when none is loaded.
    public var recording: String?
    public var snapshot: Snapshot
    /// Number of listeners of the sound device, from 1 to ``ListenerLimits/wired``; nil if the file does not state it.
    public var listeners: Int?
    /// In the order in which they were stored first.
    public var scenes: [Scene] = []
    /// Fields that this version does not know; they are kept, and written again.
    public var unknown: [String: JSON] = [:]

    public init(recording: String?, snapshot: Snapshot) {
        self.recording = recording
        self.snapshot = snapshot
    }

    // MARK: Reading

    /// Reads a file and checks all of it, so that nothing of a file with an error is applied.
    public static func read(_ path: String, _ tree: ParameterTree) throws(SessionError) -> SessionFile {
        let text: String
        do { text = try RegularFile.text(path) } catch {
            throw SessionError(
                path: path, line: nil, field: nil, reason: "the file cannot be read: \(error.reason)",
                remedy: error.isMissing ? "name a session file that exists" : error.remedy)
        }
        return try parse(text, path: path, tree)
    }

    /// - Parameter path: for messages, and as the base of relative paths inside.
    public static func parse(_ text: String, path: String, _ tree: ParameterTree) throws(SessionError) -> SessionFile {
        let document: LocatedJSON
        do { document = try LocatedJSON(text) } catch {
            throw SessionError(
                path: path, line: error.line, field: nil, reason: "this is not JSON: \(error.reason)",
                remedy: "fix that line, or save the session again")
        }
        return try SessionReader(path: path, tree: tree).session(document)
    }

    // MARK: Writing

    /// Writes the file as a whole, or leaves the previous one unchanged.
    public func write(_ path: String) throws(SessionError) {
        do { try OutputFile.write([UInt8](encoded()), to: path, existing: .replaced) } catch {
            throw SessionError(
                path: path, line: nil, field: nil, reason: "the file was not written",
                remedy: (error as? OutputError)?.reason ?? "\(error)")
        }
    }

    /// The file's bytes.
    package func encoded() throws -> Data {
        return try JSONEncoder.file.encode(SessionDocument(self))
    }
}

extension ParameterSpec {
    /// The values that this parameter accepts, as advice: "write true or false".
    var expectation: String {
        switch kind {
        case .toggle: "write true or false"
        case .choice(let names): "write one of \(names.joined(separator: ", "))"
        case .text: "write text in quotes"
        case .vector(let names): "write [\(names.joined(separator: ", "))]"
        default: "write a number from \(range.lowerBound) to \(range.upperBound)"
        }
    }
}
