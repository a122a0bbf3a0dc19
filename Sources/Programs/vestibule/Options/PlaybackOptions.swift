public import ArgumentParser
import Binaural
public import Device
import Files
import Media
import Parameters

/// The recording, and how listeners hear it.
struct PlaybackOptions: ParsableArguments {
    @Option(help: "Recording: a file of 4 to 64 channels, or a folder of mono files, one per microphone.")
    var recording: String?

    @Option(
        name: .customLong("list"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Recordings that play one after the other, up to the next option; replaces the session's playlist.", valueName: "recording"))
    var list: [String] = []

    @Option(name: .customLong("repeat"), help: "After a recording of the playlist: \(DeckParameter.repeats.joined(separator: ", ")).")
    var repeats: String?

    @Option(help: "Crossfade between two recordings of the playlist, seconds from 0 to \(DeckParameter.longestCrossfade).")
    var crossfade: Float?

    @Option(
        help: """
            360-degree video of the recording, equirectangular, for the page /view: an MP4 or WebM file, or an https:// address \
            (default: the one that the file beside the recording names).
            """)
    var video: String?

    @Option(help: "Music in stereo for all listeners: an http:// or https:// address of a stream, or a sound file.")
    var music: String?

    @Option(
        name: .customLong("music-login-file"),
        help: "File with the logins of radio stations, a line for each: https://radio.example.org USER PASSWORD, or ?token=TOKEN.")
    var musicLoginFile: String?

    @Option(
        help: """
            Number of listeners; the device plays the first one, and those with an --output (default: that of the session, otherwise 1).
            """)
    var listeners: Int?
    /// The number of listeners of the sound device.
    var deviceListeners: Int { listeners ?? 1 }

    @Option(
        help: ArgumentHelp(
            "Channels of the sound device that a listener is played on: 2=3,4 (default: 1=1,2). Repeatable.", valueName: "n=left,right"
        ))
    var output: [String] = []

    @Option(
        name: .customLong("network-listeners"),
        help: "Maximum number of network listeners, which can be added at any time, 0 to \(ListenerLimits.network).")
    var networkListeners = 256

    @Option(
        help: """
            Interpolation method of all listeners: \
            \(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).
            """)
    var method: String?

    @Option(help: "Head prediction: auto (to the time the sound is heard), off, or milliseconds.")
    var prediction: PredictionOption?

    @Option(
        help: """
            SOFA file with the HRTF of all listeners, for sound objects and the method hrtf (default: the rigid sphere; the file of \
            libmysofa with the method hrtf).
            """)
    var hrtf: String?

    @Option(name: .customLong("head-radius"), help: "Head radius of all listeners, metres; 0 takes the radius in the SOFA file.")
    var headRadius: Float?

    @Option(name: .customLong("hrtf-equalisation"), help: HRTFEqualisation.help)
    var hrtfEqualisation: String?

    @Option(
        name: .customLong("record-motion"),
        help: "CSV file to record the rendered head poses in, from the start; `vestibule render --motion` renders them again.")
    var recordMotion: String?

    @Option(help: "Live input: alsa:NAME, jack (with --device jack), or a sound file that is looped.")
    var input: String?

    @Option(
        name: .customLong("input-clock"),
        help: """
            Clock of the sound card of --input: same as that of the device, so that both move together; own, so that the input is \
            resampled; auto: same for two names of one card or of one sound server.
            """)
    var inputClock = InputClock.auto

    @Option(help: "Folder of the rack presets.")
    var presets: String?

    @Option(help: "Folder of sound files that can be played as cues, each named as its cue, at most 10 s long.")
    var cues: String?

    /// The sound file with music; nil for an address.
    var musicFile: String? { music.flatMap { MusicReader.Source.isAddress($0) ? nil : $0 } }

    func validate() throws {
        try HRTFEqualisation.check(hrtfEqualisation)
        if let repeats, !DeckParameter.repeats.contains(repeats) {
            throw ValidationError("--repeat \(repeats): give one of \(DeckParameter.repeats.joined(separator: ", ")).")
        }
        if let crossfade, !(0...Float(DeckParameter.longestCrossfade)).contains(crossfade) {
            throw ValidationError("--crossfade \(crossfade): give seconds from 0 to \(DeckParameter.longestCrossfade).")
        }
        if let music, WrittenAddress.hasSecret(music) {
            throw ValidationError("--music: leave the login or token out of the address, and write it into the file of --music-login-file.")
        }
        if let video, video.contains("://"), WrittenAddress.hasLogin(video) {
            throw ValidationError("--video: an address with a login cannot be given to browsers; leave the login out of it.")
        }
        guard list.count <= DeckParameter.most else {
            throw ValidationError("--list: a playlist has room for \(DeckParameter.most) recordings, not \(list.count).")
        }
        guard input?.hasPrefix("alsa:") == true || inputClock == .auto else {
            throw ValidationError("--input-clock \(inputClock.rawValue) needs --input alsa:NAME.")
        }
        if let listeners, !(1...ListenerLimits.wired).contains(listeners) {
            throw ValidationError("--listeners \(listeners): give a number from 1 to \(ListenerLimits.wired).")
        }
        guard (0...ListenerLimits.network).contains(networkListeners) else {
            throw ValidationError("--network-listeners \(networkListeners): give a number from 0 to \(ListenerLimits.network).")
        }
    }
}

/// `--prediction`: how far ahead heads are predicted.
enum PredictionOption: ExpressibleByArgument {
    /// To the time the sound is heard.
    case automatic
    /// 0 is off.
    case milliseconds(Float)

    init?(argument: String) {
        switch argument {
        case "auto": self = .automatic
        case "off": self = .milliseconds(0)
        default:
            guard let number = Float(argument), ListenerParameter.prediction.spec.range.contains(number) else { return nil }
            self = .milliseconds(number)
        }
    }

    /// The parameters of a listener that this sets, in order.
    var settings: [(parameter: ListenerParameter, value: Parameters.Argument)] {
        switch self {
        case .automatic: [(.autoPrediction, .bool(true)), (.prediction, .float(0))]
        case .milliseconds(let time): [(.autoPrediction, .bool(false)), (.prediction, .float(time))]
        }
    }
}

/// The option `--hrtf-equalisation`.
extension HRTFEqualisation {
    private static let names = allCases.map(\.name).joined(separator: ", ")

    static let help = ArgumentHelp(
        "Colour of the HRTF that the method hrtf keeps: \(names). neutral removes what all directions on the horizon share; "
            + "diffuse-field makes the mean over all directions flat.")

    /// - Throws: `ValidationError` for a name that is no equalisation.
    static func check(_ name: String?) throws {
        guard let name, HRTFEqualisation(name: name) == nil else { return }
        throw ValidationError("--hrtf-equalisation: there is no \"\(name)\". Choose one of \(names).")
    }
}

extension InputClock: ExpressibleByArgument {}
