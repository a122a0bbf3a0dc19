internal import Foundation
public import Parameters
public import Rack

/// What a session remembers: the recording, and every parameter that differs from its initial value.
public struct SessionFile: Sendable, Equatable {
    /// The version this program writes.
    public static let version = 1
    /// How many listeners any program has.
    private static let mostListeners = 64

    /// Path of the recording; nil when none is loaded.
    public var recording: String?
    /// What each address is set to.
    public var parameters: [String: [Argument]]
    /// What stands in each rack that is not empty, by its name.
    public var racks: [String: RackDescription] = [:]
    /// Addresses this program does not know; they are kept, and written again.
    public var unknown: [String: [Argument]] = [:]

    public init(recording: String?, parameters: [String: [Argument]]) {
        self.recording = recording
        self.parameters = parameters
    }

    /// What is set now: everything a client may read and write that differs from its initial value.
    /// - Parameter value: of each slot.
    public init(_ tree: ParameterTree, recording: String?, value: (Int) -> ParameterValue) {
        let kept = tree.nodes.filter {
            // The recording has its own field; the quaternion says the same as the angles.
            $0.spec.access == .readWrite && $0.spec.role != .recording && $0.spec.role != .orientationQuaternion
                && !$0.isTransient && $0.spec.role != .rackLayout && value($0.slot) != $0.spec.initial
        }
        self.recording = recording
        parameters = Dictionary(
            uniqueKeysWithValues: kept.map { ($0.address, $0.spec.arguments(value($0.slot))) })
    }

    // MARK: Reading

    /// Reads a file and checks all of it, so that nothing is applied of a file that is wrong anywhere.
    public static func read(_ path: String, _ tree: ParameterTree) throws(SessionError) -> SessionFile {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw SessionError(
                path: path, line: nil, field: nil, reason: "the file cannot be read",
                remedy: "name a session file that exists")
        }
        let text = String(decoding: data, as: UTF8.self)
        let fields: Fields
        do { fields = try JSONDecoder().decode(Fields.self, from: data) } catch {
            throw SessionError(error, path: path, text: text)
        }
        guard fields.version == version else {
            throw SessionError(
                path: path, line: line(of: "version", in: text), field: "version",
                reason: "\(fields.version) is not a version this program reads", remedy: "it reads version \(version)")
        }
        var session = SessionFile(recording: fields.recording.map { resolve($0, beside: path) }, parameters: [:])
        for (address, value) in fields.parameters ?? [:] {
            guard let slot = tree.slot(at: address) else {
                session.unknown[address] = value.arguments
                continue
            }
            let spec = tree.nodes[slot].spec
            do { _ = try spec.accept(value.arguments, at: address) } catch {
                throw SessionError(
                    path: path, line: line(of: address, in: text), field: address, reason: error.description,
                    remedy: spec.whatIsRight)
            }
            session.parameters[address] = value.arguments
        }
        session.racks = try readRacks(text, path: path)
        return session
    }

    private static func readRacks(
        _ text: String, path: String
    ) throws(SessionError) -> [String: RackDescription] {
        guard let document = try? LocatedJSON(text), case .object(let members) = document.value,
            let racks = members.first(where: { $0.name == "racks" })
        else { return [:] }
        guard case .object(let entries) = racks.value.value else {
            throw SessionError(
                path: path, line: racks.line, field: "racks", reason: "has the wrong type",
                remedy: "an object with a rack for each name would be right")
        }
        // Listeners that this program does not have keep their racks.
        let names = RackPosition.all(listeners: mostListeners).map(\.name)
        var result: [String: RackDescription] = [:]
        for entry in entries {
            guard names.contains(entry.name) else {
                throw SessionError(
                    path: path, line: entry.line, field: entry.name, reason: "there is no such rack",
                    remedy: "there is recording, input, listener/1 to listener/\(mostListeners)")
            }
            result[entry.name] = try RackFile.read(entry.value, path: path)
        }
        return result
    }

    private static func resolve(_ recording: String, beside path: String) -> String {
        URL(filePath: recording, relativeTo: URL(filePath: path).deletingLastPathComponent()).standardizedFileURL.path
    }

    /// Line of the first place where the field stands, counted from 1.
    static func line(of field: String, in text: String) -> Int? {
        guard let place = text.range(of: "\"\(field)\"") else { return nil }
        return text[..<place.lowerBound].count { $0.isNewline } + 1
    }

    // MARK: Writing

    /// Writes the file beside its place and moves it there, so that a reader never sees half of it.
    public func write(_ path: String) throws(SessionError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let all = parameters.merging(unknown) { known, _ in known }
        let fields = Fields(
            version: Self.version, recording: recording, parameters: all.mapValues(Fields.Value.init),
            racks: racks.isEmpty ? nil : racks.mapValues { RackFile.Document($0) })
        do { try encoder.encode(fields).write(to: URL(filePath: path), options: .atomic) } catch {
            throw SessionError(
                path: path, line: nil, field: nil, reason: "the file cannot be written",
                remedy: "choose a folder that exists and may be written to")
        }
    }
}

extension ParameterSpec {
    /// In words, what this parameter takes.
    var whatIsRight: String {
        switch kind {
        case .toggle: "true or false would be right"
        case .choice(let names): "one of \(names.joined(separator: ", ")) would be right"
        case .text: "a text would be right"
        case .vector(let names): "[\(names.joined(separator: ", "))] would be right"
        default: "a number from \(range.lowerBound) to \(range.upperBound) would be right"
        }
    }
}
