/// The action of a cue.
enum CueAction: Equatable {
    /// Recalls a scene; a fade of nil takes the scenes' own.
    case scene(String, fade: CueTime?)
    /// Plays one of the short sounds.
    case sound(String)
    case stopSounds
    /// Gives an object, counted from 1, a sound; nil takes it away.
    case object(Int, sound: String?)
    /// Loads a recording and plays it.
    case recording(String)
    case play, pause, stop
    case seek(CueTime)
    case osc(OutgoingMessage)
    /// Fires another cue.
    case cue(CueNumber)
    /// Stops all cues.
    case stopAll

    /// - Throws: `RequestError` with the part that is wrong.
    init(_ words: inout ArraySlice<CueWord>) throws {
        let word = words.popFirst()?.text ?? ""
        switch word {
        case "scene": self = try Self.scene(&words)
        case "sound": self = .sound(try Self.name(&words, "sound", "a short sound, as /cue/play lists them"))
        case "object": self = try Self.object(&words)
        case "recording": self = .recording(try Self.name(&words, "recording", "a recording in the recordings folder"))
        case "play": self = .play
        case "pause": self = .pause
        case "stop": self = Self.stop(&words)
        case "seek":
            guard let place = words.popFirst().flatMap({ CueTime($0.text) }) else {
                throw RequestError("behind \"seek\" come 0 to 86400 seconds of the recording")
            }
            self = .seek(place)
        case "osc": self = .osc(try OutgoingMessage(&words))
        case "cue":
            guard let number = words.popFirst().flatMap({ CueNumber($0.text) }) else {
                throw RequestError("behind \"cue\" comes the number of the cue to fire, 0.01 to 9999.99")
            }
            self = .cue(number)
        default: throw RequestError("\"\(word.prefix(32))\" is no action of a cue; there are \(Self.names)")
        }
    }

    private static let names =
        "scene, sound, object, recording, play, pause, stop, stop sounds, stop all, seek, osc and cue"

    private static func name(_ words: inout ArraySlice<CueWord>, _ action: String, _ kind: String) throws -> String {
        guard let name = words.popFirst()?.text, !name.isEmpty else {
            throw RequestError("behind \"\(action)\" comes the name of \(kind); one with spaces is written in double quotes")
        }
        return name
    }

    private static func scene(_ words: inout ArraySlice<CueWord>) throws -> CueAction {
        let name = try name(&words, "scene", "a scene")
        guard words.first == CueWord(text: "fade", isQuoted: false) else { return .scene(name, fade: nil) }
        words.removeFirst()
        guard let fade = words.popFirst().flatMap({ CueTime($0.text, longest: 3_600_000) }) else {
            throw RequestError("behind \"fade\" come the 0 to 3600 seconds of the crossfade")
        }
        return .scene(name, fade: fade)
    }

    private static func object(_ words: inout ArraySlice<CueWord>) throws -> CueAction {
        guard let number = words.popFirst().flatMap({ DecimalText.units($0.text, decimals: 0) }), number > 0 else {
            throw RequestError("behind \"object\" comes the number of an object, then \"sound\" and a name, or \"stop\"")
        }
        switch words.popFirst()?.text {
        case "sound": return .object(number, sound: try name(&words, "sound", "a sound in the sound folder"))
        case "stop": return .object(number, sound: nil)
        default: throw RequestError("behind the object's number come \"sound\" and the name of a sound, or \"stop\"")
        }
    }

    private static func stop(_ words: inout ArraySlice<CueWord>) -> CueAction {
        switch words.first?.text {
        case "sounds":
            words.removeFirst()
            return .stopSounds
        case "all":
            words.removeFirst()
            return .stopAll
        default: return .stop
        }
    }
}

extension CueAction: CustomStringConvertible {
    var description: String {
        switch self {
        case .scene(let name, let fade): "scene \(CueWord.name(name))" + (fade.map { " fade \($0)" } ?? "")
        case .sound(let name): "sound \(CueWord.name(name))"
        case .stopSounds: "stop sounds"
        case .object(let number, let sound): "object \(number) " + (sound.map { "sound \(CueWord.name($0))" } ?? "stop")
        case .recording(let name): "recording \(CueWord.name(name))"
        case .play: "play"
        case .pause: "pause"
        case .stop: "stop"
        case .seek(let place): "seek \(place)"
        case .osc(let message): "osc \(message)"
        case .cue(let number): "cue \(number)"
        case .stopAll: "stop all"
        }
    }
}
