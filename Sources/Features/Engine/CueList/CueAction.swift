import Parameters

/// The action of a cue.
enum CueAction: Equatable {
    /// Recalls a scene; without a fade, the crossfade takes the duration that is set for scenes.
    case scene(String, fade: CueTime?)
    /// Plays one of the short sounds.
    case sound(String)
    /// Stops the short sounds; without a fade, they end as fast as possible without a click.
    case stopSounds(fade: CueTime?)
    /// Sets the sound of an object, counted from 1; nil removes the sound.
    case object(Int, sound: String?)
    /// Loads a recording and plays it; with a fade, it crossfades from the current recording.
    case recording(String, fade: CueTime?)
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
        case "sound": self = .sound(try Self.name(&words, "sound", "a short sound listed by /cue/play"))
        case "object": self = try Self.object(&words)
        case "recording":
            let name = try Self.name(&words, "recording", "a recording in the recordings folder")
            self = .recording(name, fade: try Self.fade(&words, longest: SessionParameter.longestCrossfade))
        case "play": self = .play
        case "pause": self = .pause
        case "stop": self = try Self.stop(&words)
        case "seek":
            guard let place = words.popFirst().flatMap({ CueTime($0.text) }) else {
                throw RequestError("\"seek\" needs a position of 0 to 86400 seconds")
            }
            self = .seek(place)
        case "osc": self = .osc(try OutgoingMessage(&words))
        case "cue":
            guard let number = words.popFirst().flatMap({ CueNumber($0.text) }) else {
                throw RequestError("\"cue\" needs the number of the cue to fire, 0.01 to 9999.99")
            }
            self = .cue(number)
        default: throw RequestError("\"\(word.prefix(32))\" is not a cue action; the actions are \(Self.names)")
        }
    }

    private static let names =
        "scene, sound, object, recording, play, pause, stop, stop sounds, stop all, seek, osc and cue"

    private static func name(_ words: inout ArraySlice<CueWord>, _ action: String, _ kind: String) throws -> String {
        guard let name = words.popFirst()?.text, !name.isEmpty else {
            throw RequestError("\"\(action)\" needs the name of \(kind); write a name with spaces in double quotes")
        }
        return name
    }

    private static func scene(_ words: inout ArraySlice<CueWord>) throws -> CueAction {
        let name = try name(&words, "scene", "a scene")
        return .scene(name, fade: try fade(&words, longest: Int(clamping: ParameterSpec.longestDuration)))
    }

    /// Duration of a crossfade; nil unless the next word is `fade`.
    /// - Parameter longest: seconds.
    private static func fade(_ words: inout ArraySlice<CueWord>, longest: Int) throws -> CueTime? {
        guard words.first == CueWord(text: "fade", isQuoted: false) else { return nil }
        words.removeFirst()
        guard let fade = words.popFirst().flatMap({ CueTime($0.text, longest: longest * 1000) }) else {
            throw RequestError("\"fade\" needs a duration of 0 to \(longest) seconds")
        }
        return fade
    }

    private static func object(_ words: inout ArraySlice<CueWord>) throws -> CueAction {
        guard let number = words.popFirst().flatMap({ DecimalText.units($0.text, decimals: 0) }), number > 0 else {
            throw RequestError("\"object\" needs the number of an object, then \"sound\" and a name, or \"stop\"")
        }
        switch words.popFirst()?.text {
        case "sound": return .object(number, sound: try name(&words, "sound", "a sound in the sound folder"))
        case "stop": return .object(number, sound: nil)
        default: throw RequestError("\"object \(number)\" needs \"sound\" and the name of a sound, or \"stop\"")
        }
    }

    private static func stop(_ words: inout ArraySlice<CueWord>) throws -> CueAction {
        switch words.first?.text {
        case "sounds":
            words.removeFirst()
            return .stopSounds(fade: try fade(&words, longest: Int(clamping: CueParameter.longestFade)))
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
        case .stopSounds(let fade): "stop sounds" + (fade.map { " fade \($0)" } ?? "")
        case .object(let number, let sound): "object \(number) " + (sound.map { "sound \(CueWord.name($0))" } ?? "stop")
        case .recording(let name, let fade): "recording \(CueWord.name(name))" + (fade.map { " fade \($0)" } ?? "")
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
