import ArgumentParser
import Binaural
import Engine
import Parameters
import RenderCore

/// Sound objects.
struct ObjectOptions: ParsableArguments {
    @Option(help: "Number of sound objects at the start, up to 256; clients add and remove others. 0 turns objects off.")
    var objects = 8

    @Option(
        help: ArgumentHelp(ObjectOption.help),
        transform: ObjectOption.init)
    var object: [ObjectOption] = []

    @Option(help: "Folder of the sound files that clients may choose for objects (default: $XDG_DATA_HOME/vestibule/sounds).")
    var sounds: String?

    @Option(help: "Room in which the sound objects are: a JSON file (docs/rooms.md).")
    var room: String?

    @Option(help: ArgumentHelp(PlaceOption.help + " Repeatable."), transform: PlaceOption.init)
    var place: [PlaceOption] = []

    /// - Throws: an error for the place of a listener that does not exist.
    func check(listeners: Int) throws {
        guard let place = place.first(where: { $0.listener > listeners }) else { return }
        throw ValidationError(
            "--place: there is no listener \(place.listener); the listeners are 1 to \(listeners). Add --listeners \(place.listener).")
    }

    func validate() throws {
        guard room == nil || objects > 0 else {
            throw ValidationError("--room is for sound objects, and --objects is 0. Give --objects a number, or leave --room out.")
        }
        guard (0...ObjectParameter.most).contains(objects) else {
            throw ValidationError("--objects \(objects): give a number from 0 to \(ObjectParameter.most).")
        }
        guard object.count <= objects else {
            throw ValidationError(
                "--object is given \(counted(object.count, "time")), but --objects is \(objects). Add --objects \(object.count).")
        }
    }
}

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

/// `--place FRONT,LEFT,UP[@LISTENER]`: the place of a listener in the world, metres.
struct PlaceOption {
    let coordinates: [Float]
    /// From 1.
    let listener: Int

    static let help = "Place of a listener, FRONT,LEFT,UP[@LISTENER] in metres, from which sound objects are heard (default: 0,0,0)."

    init(_ text: String) throws {
        func refuse(_ why: String) -> ValidationError {
            ValidationError("--place \(text): \(why). Write FRONT,LEFT,UP or FRONT,LEFT,UP@LISTENER, for example 1.5,-0.5,0@2.")
        }
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let listener = parts.count == 1 ? 1 : Int(parts[1]), listener >= 1 else {
            throw refuse("the listener is not a number from 1")
        }
        let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
        guard numbers.count == 3 else { throw refuse("there are not three coordinates") }
        let range = ListenerParameter.xyz.spec.range
        let most = ParameterSpec.plainWords(range.upperBound)
        coordinates = try numbers.map { number in
            guard let number, number.isFinite else { throw refuse("a coordinate is not a number") }
            guard range.contains(number) else {
                throw refuse("coordinates are at most \(most) m either way")
            }
            return number
        }
        self.listener = listener
    }

    var arguments: [Parameters.Argument] { coordinates.map { .float($0) } }
}
