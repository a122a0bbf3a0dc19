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

/// Racks and scenes that engines share with those that follow them.
extension SessionFile {
    private static let field = "scenesLeftOut"

    /// Whether scenes are left out because they are too large; the follower then keeps its own.
    public var leavesOutScenes: Bool {
        get { unknown[Self.field] == .bool(true) }
        set { unknown[Self.field] = newValue ? .bool(true) : nil }
    }
}

/// The session that is open: its file, and the file's content.
public struct OpenSession: Sendable, Equatable {
    /// Path of the file; nil for a session without a name.
    public var path: String?
    /// The session when it was loaded or saved last.
    public var saved: SessionFile
    /// Fields of the file that this version does not know and keeps, and addresses.
    public var fields: [String: JSON] = [:]
    public var addresses: [String: JSON] = [:]
    /// The file's values for listeners of the sound device that this engine does not have, and the session's number of device listeners,
    /// including these.
    public var absent = Snapshot()
    public var listeners = 1

    /// Path of a recording that the file names and that was not loaded; it is kept as long as the recording that was playing then still
    /// plays.
    public struct Kept: Sendable, Equatable {
        public var path: String
        /// Path of the recording that was playing.
        public var beside: String

        public init(path: String, beside: String) {
            self.path = path
            self.beside = beside
        }
    }
    public var kept: Kept?

    public init(path: String?, saved: SessionFile) {
        self.path = path
        self.saved = saved
    }
}

/// A session as it is encoded in files.
struct SessionDocument: Encodable {
    private let fields: [String: any Encodable]

    init(_ session: SessionFile) {
        var fields = Self.fields(session.snapshot).merging(session.unknown) { known, _ in known }
        fields["version"] = SessionFile.version
        fields["parameters"] = fields["parameters"] ?? [String: JSON]()
        if let listeners = session.listeners { fields["listeners"] = listeners }
        if let recording = session.recording { fields["recording"] = recording }
        if !session.scenes.isEmpty { fields["scenes"] = session.scenes.map(SessionDocument.init) }
        self.fields = fields
    }

    private init(_ scene: Scene) {
        fields = Self.fields(scene.snapshot).merging(scene.unknown) { known, _ in known }
            .merging(["name": scene.name]) { _, name in name }
    }

    private static func fields(_ snapshot: Snapshot) -> [String: any Encodable] {
        var parameters: [String: any Encodable] = snapshot.unknown
        for (address, arguments) in snapshot.parameters {
            let values = arguments.map(RackFile.Value.init)
            parameters[address] = values.count == 1 ? values[0] : values
        }
        var fields: [String: any Encodable] = [:]
        if !parameters.isEmpty { fields["parameters"] = SessionDocument(fields: parameters) }
        if !snapshot.racks.isEmpty { fields["racks"] = snapshot.racks.mapValues { RackFile.Document($0) } }
        return fields
    }

    private init(fields: [String: any Encodable]) { self.fields = fields }

    func encode(to encoder: any Encoder) throws { try encoder.write(fields) }
}

/// An error in a session or rack file: where it is, what is wrong, and what to do.
public struct SessionError: Error, CustomStringConvertible, Equatable {
    public let path: String
    /// Line, counted from 1; nil for the whole file.
    public let line: Int?
    /// Name of a field, or an address.
    public let field: String?
    public let reason: String
    public let remedy: String
    /// Kind of the file.
    public var subject = "session"

    public var description: String {
        let place = path + (line.map { ":\($0)" } ?? "")
        return "\(subject) \(place): " + (field.map { "\"\($0)\": " } ?? "") + reason + "; " + remedy
    }
}
