internal import Foundation
internal import Parameters
internal import Rack

/// Reads the parts of a session file. Every error names its line.
struct SessionReader {
    let path: String
    let tree: ParameterTree

    private func error(_ line: Int, _ field: String, _ reason: String, _ remedy: String) -> SessionError {
        SessionError(path: path, line: line, field: field, reason: reason, remedy: remedy)
    }

    func session(_ document: LocatedJSON) throws(SessionError) -> SessionFile {
        var fields = try members(document, "the file", or: "write an object")
        guard let version = fields.removeValue(forKey: "version") else {
            throw error(document.line, "version", "the field is missing", "write \"version\": \(SessionFile.version)")
        }
        guard case .number(let number) = version.value, number == number.rounded(), number < 1e6, let whole = Int(checked: number),
            whole >= 1
        else {
            throw error(version.line, "version", "has the wrong type", "write a whole number of at least 1")
        }
        guard whole <= SessionFile.version else {
            throw error(
                version.line, "version", "\(whole) was written by a newer version of the program",
                "it reads up to version \(SessionFile.version); open the file with a newer Vestibule")
        }
        try checkKind(fields, document.line)
        SessionMigration.migrate(&fields, from: whole)
        var session = SessionFile(recording: nil, snapshot: Snapshot())
        if let recording = fields.removeValue(forKey: "recording") {
            session.recording = resolved(try text(recording, "recording"))
        }
        if let listeners = fields.removeValue(forKey: "listeners") {
            guard case .number(let number) = listeners.value, let whole = Int(checked: number), Double(whole) == number,
                (1...ListenerLimits.wired).contains(whole)
            else {
                throw error(listeners.line, "listeners", "is not a valid number of listeners", "write 1 to \(ListenerLimits.wired)")
            }
            session.listeners = whole
        }
        session.snapshot = try snapshot(&fields)
        if let scenes = fields.removeValue(forKey: "scenes") { session.scenes = try self.scenes(scenes) }
        session.unknown = fields.mapValues(\.plain)
        return session
    }

    /// Fields that files of other kinds have, and what these files are.
    private static let others = [
        "slots": "a rack", "array": "the description of a recording", "azimuths": "the description of a recording",
        "devices": "a list of paired clients",
    ]
    private static let ownFields = ["recording", "parameters", "racks", "scenes"]

    /// - Throws: for a file of another kind.
    private func checkKind(_ fields: [String: LocatedJSON], _ line: Int) throws(SessionError) {
        let remedy = "name a file that was saved as a session"
        for (name, kind) in Self.others.sorted(by: { $0.key < $1.key }) {
            if let field = fields[name] { throw error(field.line, name, "this is \(kind), not a session", remedy) }
        }
        guard !fields.isEmpty, !Self.ownFields.contains(where: { fields[$0] != nil }) else { return }
        let names = Self.ownFields.joined(separator: ", ")
        throw SessionError(
            path: path, line: line, field: nil, reason: "this is not a session: it has none of the fields \(names)",
            remedy: remedy)
    }

    private func scenes(_ json: LocatedJSON) throws(SessionError) -> [Scene] {
        guard case .array(let entries) = json.value else {
            throw error(json.line, "scenes", "has the wrong type", "write a list")
        }
        guard entries.count <= SessionFile.mostScenes else {
            throw error(
                json.line, "scenes", "there are \(entries.count) scenes", "a session holds at most \(SessionFile.mostScenes)")
        }
        var scenes: [Scene] = []
        for entry in entries {
            var fields = try members(entry, "scenes", or: "write an object with a name")
            guard let name = fields.removeValue(forKey: "name") else {
                throw error(entry.line, "name", "the field is missing", "give the scene a name")
            }
            let words = try text(name, "name")
            guard !words.isEmpty, !scenes.contains(where: { $0.name == words }) else {
                throw error(name.line, "name", "scene names must be present and unique", "give each scene its own name")
            }
            var scene = Scene(name: words, snapshot: try snapshot(&fields))
            scene.unknown = fields.mapValues(\.plain)
            scenes.append(scene)
        }
        return scenes
    }

    private func snapshot(_ fields: inout [String: LocatedJSON]) throws(SessionError) -> Snapshot {
        var snapshot = Snapshot()
        if let parameters = fields.removeValue(forKey: "parameters") {
            var former: [String: [Argument]] = [:]
            for (address, json) in try members(parameters, "parameters", or: "write an object with a value for each address") {
                guard let index = tree.declaredIndex(at: address) else {
                    snapshot.unknown[address] = json.plain
                    guard snapshot.unknown.count <= SessionFile.mostUnknown else {
                        throw error(
                            json.line, "parameters", "there are more than \(SessionFile.mostUnknown) unknown addresses",
                            "name a file that was saved as a session")
                    }
                    continue
                }
                let value = try arguments(json, address, tree.nodes[index].spec)
                // The present name of a parameter takes precedence over a former one.
                let name = tree.nodes[index].address
                if name.isEmpty || name == address { snapshot.parameters[address] = value } else { former[name] = value }
            }
            snapshot.parameters.merge(former) { present, _ in present }
        }
        if let racks = fields.removeValue(forKey: "racks") {
            // Racks of listeners that this engine does not have are kept.
            let names = RackPosition.all(listeners: ListenerLimits.all).map(\.name)
            for (name, rack) in try members(racks, "racks", or: "write an object with a rack for each name") {
                guard names.contains(name) else {
                    throw error(
                        rack.line, name, "there is no such rack",
                        "the racks are recording, input, and listener/1 to listener/\(ListenerLimits.all)")
                }
                snapshot.racks[name] = try RackFile.read(rack, path: path, keepsUnknown: true)
            }
        }
        return snapshot
    }

    private func arguments(_ json: LocatedJSON, _ address: String, _ spec: ParameterSpec) throws(SessionError) -> [Argument] {
        var arguments: [Argument] = []
        let values = if case .array(let row) = json.value { row } else { [json] }
        for value in values {
            switch value.value {
            case .bool(let bool): arguments.append(.bool(bool))
            case .number(let number): arguments.append(.double(number))
            case .text(let text): arguments.append(.string(spec.formerNames[text] ?? text))
            case .null, .array, .object:
                throw error(
                    value.line, address, "this is neither a number, nor text, nor true or false", spec.expectation)
            }
        }
        do { _ = try spec.accept(arguments, at: address) } catch {
            throw self.error(json.line, address, error.description, spec.expectation)
        }
        guard spec.isKept else {
            throw error(json.line, address, "sessions do not keep this parameter", "remove it")
        }
        return arguments.map { if case .double(let number) = $0 { .float(Float(number)) } else { $0 } }
    }

    private func members(
        _ json: LocatedJSON, _ field: String, or remedy: String
    ) throws(SessionError) -> [String: LocatedJSON] {
        guard case .object(let members) = json.value else { throw error(json.line, field, "has the wrong type", remedy) }
        var result: [String: LocatedJSON] = [:]
        for member in members {
            guard result.updateValue(member.value, forKey: member.name) == nil else {
                throw error(member.line, member.name, "the field occurs twice", "remove one of them")
            }
        }
        return result
    }

    private func text(_ json: LocatedJSON, _ field: String) throws(SessionError) -> String {
        guard case .text(let text) = json.value else {
            throw error(json.line, field, "has the wrong type", "write text in quotes")
        }
        return text
    }

    /// Paths are relative to the file that names them.
    private func resolved(_ recording: String) -> String {
        URL(filePath: recording, relativeTo: URL(filePath: path).deletingLastPathComponent()).standardizedFileURL.path
    }
}

/// Migrates files of older versions to the current one.
enum SessionMigration {
    /// Step from each version to the next.
    private static let steps: [Int: @Sendable (inout [String: LocatedJSON]) -> Void] = [1: removePoses]

    /// - Parameter version: version of the file, at most the current one.
    static func migrate(_ fields: inout [String: LocatedJSON], from version: Int) {
        for step in version..<max(version, SessionFile.version) { steps[step]?(&fields) }
    }

    /// Version 1 kept head poses.
    @Sendable private static func removePoses(_ fields: inout [String: LocatedJSON]) {
        guard let parameters = fields["parameters"], case .object(let members) = parameters.value else { return }
        let poses = ["/ypr", "/quaternion"]
        fields["parameters"] = LocatedJSON(
            line: parameters.line,
            value: .object(
                members.filter { member in
                    !(member.name.hasPrefix("/listener/") && poses.contains { member.name.hasSuffix($0) })
                }))
    }
}
