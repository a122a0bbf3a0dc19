internal import Foundation

/// The texts in JSON, which can be replaced while everything else stays as it is written, byte for byte.
enum JSONStrings {
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// - Parameter replace: called with each text, names of fields included; returns nil to keep it.
    static func replacing(in json: [UInt8], _ replace: (String) -> String?) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < json.count {
            guard json[at] == quote else {
                result.append(json[at])
                at += 1
                continue
            }
            var end = at + 1
            while end < json.count, json[end] != quote { end += json[end] == backslash ? 2 : 1 }
            let token = json[at...min(end, json.count - 1)]
            let text = try? JSONSerialization.jsonObject(with: Data(token), options: .fragmentsAllowed) as? String
            result += text.flatMap(replace).map(encoded) ?? Array(token)
            at = end + 1
        }
        return result
    }

    private static func encoded(_ text: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return [UInt8]((try? encoder.encode(text)) ?? Data())
    }
}
