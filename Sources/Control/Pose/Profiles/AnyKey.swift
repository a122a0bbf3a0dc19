internal import Parameters

/// Any key of a JSON object.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Refuses an object with an unknown key, because a misspelt one would silently have no effect.
    func refuseOthers(than known: [String]) throws {
        let values = try container(keyedBy: AnyKey.self)
        for key in values.allKeys where !known.contains(key.stringValue) {
            let nearest = NearestName.find(key.stringValue, among: known)
            throw DecodingError.dataCorruptedError(
                forKey: key, in: values,
                debugDescription: "unknown field" + (nearest.map { " (did you mean \($0)?)" } ?? "")
                    + "; the fields are \(known.joined(separator: ", "))")
        }
    }
}
