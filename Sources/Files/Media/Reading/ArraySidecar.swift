public import Binaural
internal import Files
internal import Foundation

/// Positions of the microphones from the file beside a recording: `NAME.json` beside `NAME.wav`,
/// `scene.json` inside a folder recording. Only its field `array` is read here:
///
///     {"array": {"count": 8, "radius": 0.0875, "azimuths": [0, -45, -90, -135, 180, 135, 90, 45]}}
///
/// `azimuths` are in degrees, positive to the left, one per channel; by default the microphones are evenly
/// spaced, clockwise. `radius` is in metres, 0.0875 by default. In a folder, `files` may name the microphones' files in their order.
struct ArraySidecar: Decodable {
    struct Geometry: Decodable {
        var count: Int?
        var radius: Float?
        var azimuths: [Float]?
        /// Names of the files of a folder recording, one per channel.
        var files: [String]?
    }

    var array: Geometry?

    /// Radii in metres that a head or its model can have.
    static let radii: ClosedRange<Float> = 0.01...1
    /// Numbers of microphones of an array.
    static let channels = 4...64
    /// Angle in degrees below which two microphones have the same position.
    static let closest: Float = 0.01

    /// The array of a recording; nil without a file beside it.
    ///
    /// - Parameter path: the file to read instead of the one beside the recording; nil for that one.
    static func read(recording: String, _ path: String? = nil, channels: Int) throws(MediaError) -> MicrophoneArray? {
        if let path { return try read(path: path, channels: channels) }
        return try read(SceneDescription.sidecar(of: recording), channels: channels, isRequired: false)
    }

    /// The array that a file describes; nil when it describes none.
    /// - Throws: ``MediaError``, also for a file that does not exist.
    static func read(path: String, channels: Int) throws(MediaError) -> MicrophoneArray? {
        try read(path, channels: channels, isRequired: true)
    }

    /// The description of the array in the file beside a recording, unchecked; nil without one.
    /// - Parameter path: the file to read instead.
    static func geometry(recording: String, _ path: String? = nil) throws(MediaError) -> Geometry? {
        try decode(path ?? SceneDescription.sidecar(of: recording), isRequired: path != nil)?.array
    }

    /// Checks a file without its recording: the positions have to make sense for as many channels as it has or counts.
    static func check(path: String) throws(MediaError) {
        guard let array = try decode(path, isRequired: true)?.array else { throw wrong(path, "it has no field \"array\"") }
        let channels = array.azimuths?.count ?? array.count ?? Self.channels.lowerBound
        guard Self.channels.contains(channels) else {
            throw wrong(path, "it describes \(counted(channels, "microphone")), but an array has 4 to 64")
        }
        _ = try array.checked(path, channels: channels)
    }

    private static func read(_ path: String, channels: Int, isRequired: Bool) throws(MediaError) -> MicrophoneArray? {
        try decode(path, isRequired: isRequired)?.array?.checked(path, channels: channels)
    }

    private static func decode(_ path: String, isRequired: Bool) throws(MediaError) -> ArraySidecar? {
        do {
            let data = Data(try RegularFile(path).bytes(atMost: RegularFile.largestText))
            return try JSONDecoder().decode(ArraySidecar.self, from: data)
        } catch let error as FileError {
            if error.isMissing {
                guard isRequired else { return nil }
                throw MediaError("\(path) does not exist. Name a JSON file with the positions of the microphones, or omit the option.")
            }
            throw wrong(path, error.reason)
        } catch let error as DecodingError {
            throw wrong(path, explain(error))
        } catch {
            throw wrong(path, "it cannot be understood (\(error.localizedDescription))")
        }
    }

    static func wrong(_ path: String, _ reason: String) -> MediaError {
        MediaError("\(path): \(reason). Correct it, or remove the file to use evenly spaced microphones.")
    }

    private static func explain(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            let field = context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
            return "the field \(field.joined(separator: ".")) is missing or of the wrong type (\(context.debugDescription))"
        case .dataCorrupted(let context): return "it is not JSON (\(context.debugDescription))"
        default: return "it cannot be understood"
        }
    }
}

extension ArraySidecar.Geometry {
    fileprivate func checked(_ path: String, channels: Int) throws(MediaError) -> MicrophoneArray {
        let radius = radius ?? Float(MicrophoneArray.standardRadius)
        guard ArraySidecar.radii.contains(radius) else {
            throw ArraySidecar.wrong(path, "array.radius is \(radius), but must be 0.01 to 1 metre")
        }
        if let count, count != channels {
            throw ArraySidecar.wrong(path, "array.count is \(count), but the recording has \(channels) channels")
        }
        guard let azimuths else { return .uniform(count: channels, radius: radius) }
        guard azimuths.count == channels else {
            throw ArraySidecar.wrong(
                path, "array.azimuths has \(counted(azimuths.count, "value")), but the recording has \(channels) channels")
        }
        for (i, azimuth) in azimuths.enumerated() {
            guard Turns.wrapped(Double(azimuth)) != nil else {
                throw ArraySidecar.wrong(path, "array.azimuths.\(i + 1) is \(azimuth), but must be \(Turns.range)")
            }
            if let twin = azimuths[..<i].firstIndex(where: { abs(wrapDegrees(azimuth - $0)) < ArraySidecar.closest }) {
                throw ArraySidecar.wrong(
                    path, "array.azimuths.\(twin + 1) and array.azimuths.\(i + 1) are the same position")
            }
        }
        return MicrophoneArray(azimuths: azimuths, radius: radius)
    }
}

extension MicrophoneArray {
    /// Reads the positions of microphones from a file, in the form of those beside recordings; nil when it has none.
    ///
    /// - Parameter channels: the number of microphones that it has to have.
    /// - Throws: ``MediaError``, also for a file that does not exist.
    public init?(sidecar path: String, channels: Int) throws(MediaError) {
        guard let array = try ArraySidecar.read(path: path, channels: channels) else { return nil }
        self = array
    }

    /// Checks a file with positions of microphones, whose recording is not known.
    public static func check(sidecar path: String) throws(MediaError) { try ArraySidecar.check(path: path) }
}
