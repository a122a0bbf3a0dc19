import ArgumentParser
import Binaural
import Engine
import Parameters
import RenderCore

/// `--object FILE@AZIMUTH[,ELEVATION[,DISTANCE]][,NAME=VALUE…]`: a sound file or a camera, its position, and other parameters of its
/// object.
struct ObjectOption {
    /// Path of the file, or `camera:` and a name.
    let path: String
    /// The numbers that were given: coordinates in this order (degrees, degrees, metres), then others by name.
    let place: [(parameter: ObjectParameter, value: Float)]
    /// The file of the object's path (`path=`), its text, and the motion that it describes.
    let motion: (file: String, text: String, motion: ObjectMotion)?

    static let help =
        "Sound object, FILE@AZIMUTH[,ELEVATION[,DISTANCE]][,NAME=VALUE]: degrees, degrees, metres, and any of "
        + "\(named.map(\.leaf).joined(separator: ", ")); or FILE@path=PATH.json to move it. FILE may be camera:NAME in serve. Repeatable."
    private static let pathName = "path="
    private static let coordinates: [ObjectParameter] = [.azimuth, .elevation, .distance]
    private static let named: [ObjectParameter] = [
        .gain, .reference, .bubble, .air, .doppler, .directivity, .yaw, .pitch, .renderer, .channel,
    ]

    init(_ text: String) throws {
        func refuse(_ why: String) -> ValidationError {
            ValidationError(
                "\(why). Write FILE@AZIMUTH, FILE@AZIMUTH,ELEVATION or FILE@AZIMUTH,ELEVATION,DISTANCE, for "
                    + "example voice.wav@30,0,2, and then parameters by name, for example voice.wav@30,0,2,bubble=1,air=1.")
        }
        guard let at = text.lastIndex(of: "@"), at > text.startIndex else { throw refuse("there is no @ after the file") }
        path = String(text[..<at])
        let fields = text[text.index(after: at)...].split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.prefix { !$0.contains("=") }
        let paths = fields.filter { $0.hasPrefix(Self.pathName) }
        guard paths.count <= 1 else { throw refuse("path= is given \(paths.count) times") }
        motion = try paths.first.map { field -> (file: String, text: String, motion: ObjectMotion) in
            let file = String(field.dropFirst(Self.pathName.count))
            do {
                let (text, motion) = try ObjectMotion.file(file)
                guard text.utf8.count <= ObjectParameter.longestPath else {
                    throw ObjectPathError("\(file): it has \(text.utf8.count) bytes, and a path has at most \(ObjectParameter.longestPath)")
                }
                return (file, text, motion)
            } catch { throw ValidationError("--object \(text): \(error)") }
        }
        guard motion == nil || numbers.isEmpty else {
            throw ValidationError(
                "--object \(text): the path moves the object, and \(numbers.joined(separator: ",")) would hold it in place. Write "
                    + "FILE@path=PATH.json, or leave path= out.")
        }
        guard motion != nil || (1...Self.coordinates.count).contains(numbers.count) else {
            throw refuse(numbers.isEmpty ? "there is no azimuth" : "there are more than three numbers")
        }
        func value(_ parameter: ObjectParameter, _ number: Substring) throws -> Float {
            if case .choice(let names) = parameter.spec.kind {
                guard let choice = names.firstIndex(of: String(number)) else {
                    throw refuse("\(parameter.leaf) is \(names.joined(separator: " or ")), not \(number)")
                }
                return Float(choice)
            }
            guard let given = Double(number), Float(given).isFinite else { throw refuse("\"\(number)\" is not a number") }
            let range = parameter.spec.range
            guard let value = parameter.spec.isCircular ? Turns.wrapped(given).map(Float.init) : Float(given) else {
                throw refuse("\(parameter.leaf) is at most 1000000 degrees either way, not \(number)")
            }
            guard range.contains(value) else {
                throw refuse("\(parameter.leaf) is \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound)), not \(number)")
            }
            return value
        }
        let position = try zip(Self.coordinates, numbers).map { ($0, try value($0, $1)) }
        place =
            try position
            + fields.dropFirst(numbers.count).filter { !$0.hasPrefix(Self.pathName) }.map { field in
                let words = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard words.count == 2 else { throw refuse("the parameter \"\(field)\" has no name, but follows one that has") }
                guard let parameter = Self.named.first(where: { $0.leaf == words[0] }) else {
                    throw refuse("there is no parameter \"\(words[0])\"; choose one of \(Self.named.map(\.leaf).joined(separator: ", "))")
                }
                return (parameter, try value(parameter, words[1]))
            }
    }

    /// All that was given, as parameters.
    var settings: [StartState.Setting<ObjectParameter>] {
        var settings: [StartState.Setting<ObjectParameter>] = place.map { ($0.parameter, .float($0.value)) }
        if let motion { settings.append((.path, .string(motion.text))) }
        return settings
    }

    /// The sound file; nil for a camera.
    var file: String? { path.hasPrefix(ObjectCameras.prefix) ? nil : path }

    /// Place in the world, metres: front, left, up.
    var position: SIMD3<Float> {
        func number(_ parameter: ObjectParameter, _ standard: Float) -> Float {
            place.last { $0.parameter == parameter }?.value ?? standard
        }
        return Directivity.front(yaw: number(.azimuth, 0), pitch: number(.elevation, 0)) * number(.distance, 1)
    }

    private static func plain(_ number: Float) -> String { ParameterSpec.plainWords(number) }
}
