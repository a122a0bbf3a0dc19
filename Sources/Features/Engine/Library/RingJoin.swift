import Foundation
import Media

/// The request of a client to join mono files to one recording.
struct RingJoin: Decodable, Sendable {
    /// PLACE/NAME of each microphone, in order.
    let files: [String]
    /// Name of the recording, without its ending.
    let name: String

    /// - Throws: `RequestError` for anything other than such a JSON object.
    init(json: String) throws {
        do { self = try JSONDecoder().decode(RingJoin.self, from: Data(json.utf8)) } catch {
            throw RequestError("mono files are joined by a JSON object such as {\"files\":[\"sounds/mic 1.wav\",…],\"name\":\"ring\"}")
        }
        guard RecordingReader.channelRange.contains(files.count) else {
            let (least, most) = (RecordingReader.channelRange.lowerBound, RecordingReader.channelRange.upperBound)
            throw RequestError("\(files.count) files are named; a recording has \(least) to \(most) microphones")
        }
    }
}
