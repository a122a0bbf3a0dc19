import Foundation
import RenderInterface

/// Everything that the takes thread needs to begin a take.
struct TakeRequest: Sendable {
    var folder: TakeFolder
    var name: String
    var date: Date
    var client: String?
    /// Sample of the engine at which the take is started.
    var sample: Int64
    /// Frames before ``sample`` with which the take begins, if they are in memory.
    var lead: Int64
    var format: String
    var rate: Int
    var period: Int
    var isProtected: Bool
    var listeners: Int
    var objects: Int
    /// Paths of the sound files of objects, by the names that the session has.
    var sounds: [String: String] = [:]
    /// Contents of `session.json`.
    var session: [UInt8]
    /// Contents of the sidecar of the array's file; nil without an array.
    var geometry: [UInt8]?

    /// Name of a source's file, without its ending.
    static func stem(_ source: TakeSource) -> String {
        switch source {
        case .array: "array"
        case .input: "input"
        case .processedInput: "input-after-rack"
        case .ears(let listener): "ears-\(listener + 1)"
        }
    }

    /// Ending of a source's file while it is being written. FLAC files are made at the end, because they cannot be read before.
    func ending(channels: Int) -> String { format == "flac" ? "w64" : format }
}
