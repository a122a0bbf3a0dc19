public import Binaural
internal import Files
internal import Foundation

/// The array of the scene, as clients that render their listeners need it.
public struct ArrayDescription: Encodable {
    let azimuths: [Float]
    let radius: Float
    /// Numbers of the dead microphones, counted from 1.
    let dead: [Int]

    /// - Parameter muted: bit k is set when microphone k is dead.
    public init(_ array: MicrophoneArray, muted: UInt64) {
        azimuths = array.azimuthList
        radius = array.radius
        dead = (0..<array.count).filter { muted & 1 << UInt64($0) != 0 }.map { $0 + 1 }
    }

    /// Members of the JSON object, without its braces.
    public var members: String {
        // Encoding fails for numbers that are not finite alone, which no array has.
        guard let bytes = try? JSONEncoder.wire.encode(self) else { return "" }
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
