public import Media
public import Render

/// What calls render, as a person writes it: `timer`, `alsa:NAME` or `file:PATH`.
public enum DeviceSpecification: Equatable, Sendable, CustomStringConvertible {
    /// Paced by the clock, no sound card.
    case timer
    /// A sound card, or whatever else has an ALSA name.
    case alsa(String)
    /// As fast as it goes, into a file.
    case file(String)

    /// Throws when `text` is none of the three; the error lists ``known()``.
    public init(_ text: String) throws(DeviceError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? String(parts[1]) : nil
        switch (parts[0], rest) {
        case ("timer", nil): self = .timer
        case ("alsa", let name?) where !name.isEmpty: self = .alsa(name)
        case ("file", let path?) where !path.isEmpty: self = .file(path)
        default: throw DeviceError("There is no device \"\(text)\". \(Self.knownText())")
        }
    }

    public var description: String {
        switch self {
        case .timer: "timer"
        case .alsa(let name): "alsa:\(name)"
        case .file(let path): "file:\(path)"
        }
    }

    /// When a limiter stands before the ears that it plays to.
    public var protection: Protection {
        switch self {
        case .timer: .whenHeard
        case .alsa: .always
        case .file: .none
        }
    }

    /// Every device of this machine as it is written here; ALSA understands more names than it lists.
    public static func known() -> [String] {
        ["timer", "file:PATH"] + ALSANames.all(.playback).map { "alsa:\($0)" }
    }

    static func knownText(_ direction: ALSAHandle.Direction = .playback) -> String {
        let names = direction == .playback ? known() : ALSANames.all(.capture).map { "alsa:\($0)" } + ["a sound file"]
        return "Known \(direction == .playback ? "devices" : "inputs"): \(names.joined(separator: ", "))."
    }

    /// Opens the device; nothing is rendered before its `start`.
    ///
    /// - Parameters:
    ///   - input: ALSA's name of a device to record from; only an ALSA device keeps time with one.
    ///   - sink: makes what a file device writes to, given its path and rate in frames per second.
    public func open(
        _ format: DeviceFormat, input: String? = nil,
        sink: @escaping @Sendable (_ path: String, _ rate: Int) throws -> any FrameSink = {
            try SoundWriter(path: $0, channels: 2, rate: $1)
        }
    ) throws(DeviceError) -> any AudioDevice {
        if let input {
            guard case .alsa = self else {
                throw DeviceError(
                    "The input alsa:\(input) needs a card that plays in time with it: add --device alsa:\(input), or name "
                        + "a sound file as input.")
            }
        }
        return switch self {
        case .timer: TimerDevice(format)
        case .alsa(let name): try ALSADevice(name, format, input: input)
        case .file(let path): FileDevice(format) { try sink(path, format.rate) }
        }
    }
}
