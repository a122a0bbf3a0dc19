public import Media
public import Render

/// The device of `--device`: `timer`, `alsa:NAME`, `jack[:CLIENT]` or `file:PATH`.
public enum DeviceSpecification: Hashable, Sendable, CustomStringConvertible {
    /// Paced by the clock, without a sound device.
    case timer
    /// A sound device with an ALSA name.
    case alsa(String)
    /// A JACK server, by a client of this name.
    case jack(client: String)
    /// Rendered to a file, as fast as possible.
    case file(String)

    /// Name of a JACK client unless another is chosen.
    public static let standardClient = "vestibule"

    /// Parses a device.
    /// - Throws: ``DeviceError`` when `text` is none of these; the error lists ``known()``.
    public init(_ text: String) throws(DeviceError) {
        guard let device = Self.parse(text) else { throw DeviceError("There is no device \"\(text)\". \(Self.knownText())") }
        self = device
    }

    /// Parses a device, without looking at the devices of this machine; nil when `text` is none.
    package static func parse(_ text: String) -> Self? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? String(parts[1]) : nil
        switch (parts[0], rest) {
        case ("timer", nil): return .timer
        case ("alsa", let name?) where !name.isEmpty: return .alsa(name)
        case ("jack", nil): return .jack(client: standardClient)
        case ("jack", let client?) where !client.isEmpty: return .jack(client: client)
        case ("file", let path?) where !path.isEmpty: return .file(path)
        default: return nil
        }
    }

    public var description: String {
        switch self {
        case .timer: "timer"
        case .alsa(let name): "alsa:\(name)"
        case .jack(Self.standardClient): "jack"
        case .jack(let client): "jack:\(client)"
        case .file(let path): "file:\(path)"
        }
    }

    /// Whether a sound card plays what is rendered, by ALSA or by JACK.
    package var isSoundCard: Bool {
        switch self {
        case .alsa, .jack: true
        case .timer, .file: false
        }
    }

    /// Whether a limiter protects the ears that the device plays to.
    public var protection: Protection {
        switch self {
        case .timer, .alsa, .jack: .always
        case .file: .none
        }
    }

    /// Every device of this machine in this notation; ALSA accepts more names than it lists.
    public static func known() -> [String] {
        ["timer", "jack[:CLIENT]", "file:PATH"] + ALSANames.all(.playback).map { "alsa:\($0)" }
    }

    static func knownText(_ direction: ALSAHandle.Direction = .playback) -> String {
        let names = direction == .playback ? known() : ALSANames.all(.capture).map { "alsa:\($0)" } + ["a sound file"]
        return "Known \(direction == .playback ? "devices" : "inputs"): \(names.joined(separator: ", "))."
    }

    /// Opens the device; rendering begins with its `start`.
    ///
    /// - Parameters:
    ///   - input: the device that records the live input; requires one of the same kind for playback.
    ///   - array: the live array that a JACK client records as well; other devices record none.
    ///   - outputs: the channels that listeners are played on; nil for the first listener in stereo.
    ///   - channels: number of channels wanted of an ALSA device; nil for as many as `outputs` needs.
    ///   - isFixed: whether the renderer is made already, for the rate of `format` and blocks of at most its period.
    ///   - delays: measured delays of devices, for their output times.
    ///   - wiring: connections of former JACK clients, which are restored.
    ///   - sink: makes the destination of a file device, from its path, number of channels and rate in frames per second.
    public func open(
        _ format: DeviceFormat, input: DeviceInput? = nil, array: DeviceArray? = nil, outputs: OutputRoutes? = nil, channels: Int? = nil,
        isFixed: Bool = false, delays: OutputDelays = OutputDelays(), wiring: JACKWiring = JACKWiring(),
        sink: @escaping @Sendable (_ path: String, _ channels: Int, _ rate: Int) throws -> any FrameSink = {
            try SoundWriter(path: $0, channels: $1, rate: $2)
        }
    ) throws(DeviceError) -> any AudioDevice {
        switch (self, input) {
        case (.timer, nil): return TimerDevice(format)
        case (.alsa(let name), nil):
            return try ALSADevice(name, format, outputs: outputs, channels: channels, isFixed: isFixed, delays: delays)
        case (.alsa(let name), .alsa(let input)):
            return try ALSADevice(name, format, input: input, outputs: outputs, channels: channels, isFixed: isFixed)
        case (.jack(let client), nil), (.jack(let client), .jack):
            return try JACKDevice(
                client, hasInput: input != nil, outputs: outputs, array: array, fixed: isFixed ? format : nil, wiring: wiring)
        case (.file(let path), nil):
            let count = (outputs ?? OutputRoutes(listeners: 1)).channels
            return FileDevice(format, awaitsRelease: true, outputs: outputs) { try sink(path, count, format.rate) }
        case (_, .jack):
            throw DeviceError("The input jack needs a JACK client as device: add --device jack, or name a sound file as input.")
        case (.file, .alsa(let input)):
            throw DeviceError(
                "The input alsa:\(input) is recorded in real time, but a file is rendered faster: render to a file from a recording or "
                    + "with a sound file as input, or play on the timer or a sound card.")
        case (_, .alsa(let input)):
            throw DeviceError(
                "The input alsa:\(input) needs an ALSA device: choose one, or start the engine with --input-clock own, which works with "
                    + "every device.")
        }
    }
}

/// The device that records the live input together with the playing one.
public enum DeviceInput: Equatable, Sendable, CustomStringConvertible {
    case alsa(String)
    /// Input ports of the JACK client that plays.
    case jack

    public var description: String {
        switch self {
        case .alsa(let name): "alsa:\(name)"
        case .jack: "jack"
        }
    }
}
