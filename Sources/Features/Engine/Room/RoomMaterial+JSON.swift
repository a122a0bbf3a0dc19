public import Binaural
internal import Files
import Foundation

extension RoomMaterial: Encodable {
    private enum CodingKeys: String, CodingKey { case name, title, absorption, scattering, colour, source }

    public func encode(to encoder: any Encoder) throws {
        func tidy(_ value: Float) -> Double { (Double(value) * 1000).rounded() / 1000 }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(title, forKey: .title)
        try values.encode(absorption.map(tidy), forKey: .absorption)
        try values.encode(tidy(scattering), forKey: .scattering)
        try values.encode(colour, forKey: .colour)
        try values.encode(source, forKey: .source)
    }

    /// Definitions of materials as a JSON array; empty for none.
    static func definitions(_ materials: [RoomMaterial]) -> String {
        let encoder = JSONEncoder.wire
        guard !materials.isEmpty, let data = try? encoder.encode(materials) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// All materials of the program as a JSON document.
    public static var json: String {
        let encoder = JSONEncoder.file
        guard let data = try? encoder.encode(["materials": all]) else { return "" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
