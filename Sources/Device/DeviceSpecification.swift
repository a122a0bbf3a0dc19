public import Media
public import Render

/// The device of `--device`: `timer`, `alsa:NAME` or `file:PATH`.
public enum DeviceSpecification: Equatable, Sendable, CustomStringConvertible {
    /// Paced by the clock, without a sound device.
    case timer
    /// A sound device with an ALSA name.
    case alsa(String)
    /// Rendered to a file, as fast as possible.
    case file(String)

    /// Parses a device.
    /// - Throws: ``DeviceError`` when `text` is none of the three; the error lists ``known()``.
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

    /// Use of the limiter before the ears that the device plays to.
    public var protection: Protection {
        switch self {
        case .timer, .alsa: .always
        case .file: .none
        }
    }

    /// Every device of this machine in this notation; ALSA accepts more names than it lists.
    public static func known() -> [String] {
        ["timer", "file:PATH"] + ALSANames.all(.playback).map { "alsa:\($0)" }
    }

    static func knownText(_ direction: ALSAHandle.Direction = .playback) -> String {
        let names = direction == .playback ? known() : ALSANames.all(.capture).map { "alsa:\($0)" } + ["a sound file"]
        return "Known \(direction == .playback ? "devices" : "inputs"): \(names.joined(separator: ", "))."
    }

    /// Opens the device; rendering begins with its `start`.
    ///
    /// - Parameters:
    ///   - input: ALSA name of a device to record from; requires an ALSA device for playback.
    ///   - sink: makes the destination of a file device, from its path and rate in frames per second.
    public func open(
        _ format: DeviceFormat, input: String? = nil,
        sink: @escaping @Sendable (_ path: String, _ rate: Int) throws -> any FrameSink = {
            try SoundWriter(path: $0, channels: 2, rate: $1)
        }
    ) throws(DeviceError) -> any AudioDevice {
        if let input {
            guard case .alsa = self else {
                throw DeviceError(
                    "The input alsa:\(input) needs an ALSA device to play on: add --device alsa:\(input), or name "
                        + "a sound file as input.")
            }
        }
        return switch self {
        case .timer: TimerDevice(format)
        case .alsa(let name): try ALSADevice(name, format, input: input)
        case .file(let path): FileDevice(format, awaitsRelease: true) { try sink(path, format.rate) }
        }
    }
}
