internal import Parameters
internal import Rack

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
