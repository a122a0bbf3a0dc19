import Files
public import RenderCore
public import Session

/// Paths of objects as JSON: `protocol/schemas/object-path.json`.
extension ObjectMotion {
    private typealias Fields = DescriptionFields<ObjectPathError>

    /// Largest number of keyframes.
    private static let mostKeyframes = 1000
    private static let longest = 604_800.0

    /// The text of a file that describes a path, and the path.
    /// - Throws: an error that names the line, what was found and what would be valid.
    public static func file(_ path: String) throws -> (text: String, motion: ObjectMotion) {
        let text = try RegularFile.text(path)
        return (text, try ObjectMotion(json: text, name: path))
    }

    /// - Parameter name: of the file or the parameter, for errors.
    public init(json text: String, name: String) throws(ObjectPathError) {
        let document: LocatedJSON
        do { document = try LocatedJSON(text) } catch { throw ObjectPathError("\(name):\(error.line): \(error.reason)") }
        let fields = try Fields(document, "a path", file: name)
        guard fields.holds("circle") != fields.holds("keyframes") else {
            throw fields.fault("circle", "or \"keyframes\" is expected, one of them")
        }
        self = try fields.holds("circle") ? Self.circle(fields) : Self.keyframes(fields)
    }

    private static func circle(_ fields: Fields) throws(ObjectPathError) -> ObjectMotion {
        try fields.allow(["circle"])
        let circle = try fields.object("circle", "a circle: an object in {}")
        try circle.allow(["centre", "radius", "seconds", "start"])
        let seconds = try circle.number("seconds", in: -86_400...86_400, or: 8)
        guard abs(seconds) >= 0.1 else {
            throw circle.fault("seconds", "is \(seconds); expected at least 0.1 for a turn to the left, or at most -0.1 to the right")
        }
        return .circle(
            centre: try place(circle, "centre", or: [0, 0, 0]), radius: Float(try circle.number("radius", in: 0...100, or: 2)),
            seconds: seconds, start: try circle.number("start", in: -360...360, or: 0))
    }

    private static func keyframes(_ fields: Fields) throws(ObjectPathError) -> ObjectMotion {
        try fields.allow(["keyframes", "loop"])
        let frames = try fields.objects("keyframes").map { entry throws(ObjectPathError) -> Keyframe in
            try entry.allow(["time", "xyz"])
            guard entry.holds("time") else { throw entry.fault("time", "is missing; expected seconds") }
            return Keyframe(time: try entry.number("time", in: 0...longest, or: 0), place: try place(entry, "xyz"))
        }
        guard (1...mostKeyframes).contains(frames.count) else {
            throw fields.fault("keyframes", "has \(frames.count) entries; expected 1 to \(mostKeyframes)")
        }
        for (before, after) in zip(frames, frames.dropFirst()) where after.time <= before.time {
            throw fields.fault("keyframes", "are not in order: \(after.time) s follows \(before.time) s; expected rising times")
        }
        return .keyframes(frames, loops: try fields.flag("loop", or: false))
    }

    /// - Parameter standard: value of a place that is omitted; nil for a place that is required.
    private static func place(_ fields: Fields, _ name: String, or standard: [Double]? = nil) throws(ObjectPathError) -> SIMD3<Float> {
        let numbers = try fields.numbers(name, in: -100...100, or: standard)
        guard numbers.count == 3 else {
            throw fields.fault(name, "has \(numbers.count) numbers; expected three metres: front, left and up")
        }
        return SIMD3(Float(numbers[0]), Float(numbers[1]), Float(numbers[2]))
    }
}

/// A path of an object that cannot be used, with the reason for a person to read.
public struct ObjectPathError: DescriptionError, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
