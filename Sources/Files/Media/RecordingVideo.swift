internal import Files
internal import Foundation

/// The 360-degree video of a recording, from the field `video` of the file beside it:
///
///     {"video": {"file": "concert.webm", "offset": 120, "layout": "top-bottom", "yaw": 12, "pitch": 0, "roll": -1}}
///
/// `file` is the name of a file in the same folder, or an https:// address. `offset` is in milliseconds, positive when the picture is to
/// come later. `yaw`, in degrees to the left, is the position of the array's front in the picture; `pitch` and `roll` level the horizon.
/// All but `file` may be left out.
public struct RecordingVideo: Equatable, Sendable {
    /// Path of a file, or an address.
    public var place: String
    public var offset: Float = 0
    public var layout = VideoLayout.automatic
    public var yaw: Float = 0
    public var pitch: Float = 0
    public var roll: Float = 0

    public static let offsets: ClosedRange<Float> = -10_000...10_000
    public static let yaws: ClosedRange<Float> = -180...180
    public static let tilts: ClosedRange<Float> = -90...90

    private struct Sidecar: Decodable {
        struct Video: Decodable {
            var file: String
            var offset: Float?
            var layout: String?
            var yaw: Float?
            var pitch: Float?
            var roll: Float?
        }

        var video: Video?
    }

    /// Whether a text is the address of a video elsewhere, which browsers fetch by themselves.
    ///
    /// Spaces and quotes are written as %20 and %22 there.
    public static func isAddress(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""<>\^`{|}"#.utf8.contains($0) }
        guard isPlain, let address = WrittenAddress(text), address.scheme == "https" else { return false }
        return !WrittenAddress.hasLogin(text) && URL(string: text)?.host()?.isEmpty == false
    }

    /// The video that the file beside a recording names; nil when it names none.
    /// - Throws: ``MediaError`` when the field makes no sense.
    static func read(recording: String) throws(MediaError) -> RecordingVideo? {
        let path = SceneDescription.sidecar(of: recording)
        let video: Sidecar.Video?
        do {
            let data = Data(try RegularFile(path).bytes(atMost: RegularFile.largestText))
            video = try JSONDecoder().decode(Sidecar.self, from: data).video
        } catch let error as FileError {
            guard error.isMissing else { throw MediaError("\(error)") }
            return nil
        } catch { throw MediaError("\(path): its field \"video\" cannot be understood; it is an object with at least \"file\".") }
        guard let video else { return nil }
        guard isAddress(video.file) || (!video.file.isEmpty && !video.file.hasPrefix(".") && !video.file.contains("/")) else {
            throw MediaError("\(path): video.file is neither the name of a file in the same folder nor an https:// address.")
        }
        var result = RecordingVideo(
            place: isAddress(video.file)
                ? video.file : URL(filePath: path).deletingLastPathComponent().appending(path: video.file).path)
        if let name = video.layout {
            guard let layout = VideoLayout(name) else {
                throw MediaError(
                    "\(path): video.layout is \"\(name.prefix(40))\", but must be \(VideoLayout.names.joined(separator: ", ")).")
            }
            result.layout = layout
        }
        result.offset = try checked(video.offset, "offset", offsets, path)
        result.yaw = try checked(video.yaw, "yaw", yaws, path)
        result.pitch = try checked(video.pitch, "pitch", tilts, path)
        result.roll = try checked(video.roll, "roll", tilts, path)
        return result
    }

    private static func checked(_ value: Float?, _ name: String, _ range: ClosedRange<Float>, _ path: String) throws(MediaError) -> Float {
        guard let value else { return 0 }
        guard range.contains(value) else {
            throw MediaError("\(path): video.\(name) is \(value), but must be \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }
}
