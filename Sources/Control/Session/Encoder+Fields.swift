internal import Rack

extension Encoder {
    /// An object with these fields, whatever each of them is.
    func write(_ fields: [String: any Encodable]) throws {
        var container = container(keyedBy: JSON.Key.self)
        for (name, value) in fields { try container.encode(value, forKey: JSON.Key(name)) }
    }
}
