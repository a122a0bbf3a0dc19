internal import Rack

extension Encoder {
    /// Writes an object with these fields, of any types.
    func write(_ fields: [String: any Encodable]) throws {
        var container = container(keyedBy: JSON.Key.self)
        for (name, value) in fields { try container.encode(value, forKey: JSON.Key(name)) }
    }
}
