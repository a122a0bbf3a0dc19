internal import CVideo
internal import FileOutput
internal import Files
internal import Foundation

/// Facts about a video file that browsers are to show, read without decoding it.
public struct VideoFacts: Equatable, Sendable {
    /// Path of the file, without symbolic links.
    public let path: String
    /// Size of a frame in pixels.
    public let width: Int
    public let height: Int
    /// Frames per second; 0 when the file does not state it.
    public let rate: Double
    /// Seconds; 0 when the file does not state it.
    public let duration: Double
    /// From the metadata; mono without any.
    public let layout: VideoLayout
    /// Whether the metadata say that the picture is equirectangular.
    public let isEquirectangular: Bool
    /// Name of the codec.
    public let codec: String

    /// Endings of the names of files that may be video.
    public static let endings: Set = ["mp4", "m4v", "mov", "webm", "ogv"]

    /// Reads a file. May wait for the disk.
    /// - Parameter checksName: whether a name with another ending than ``endings`` is refused.
    /// - Throws: ``MediaError`` for a file that is not a video in a container that browsers play.
    public init(path: String, checksName: Bool = true) throws(MediaError) {
        guard !checksName || Self.endings.contains(URL(filePath: path).pathExtension.lowercased()) else {
            throw MediaError("\(path) is not a video: its name ends with none of \(Self.endings.sorted().joined(separator: ", ")).")
        }
        let file: RegularFile
        do { file = try RegularFile(path) } catch { throw MediaError("\(error)") }
        var facts = video_facts()
        if let problem = video_read(file.descriptor, Int64(file.size), &facts) {
            throw MediaError("\(path) cannot be shown: \(String(cString: problem)). Name an MP4 or WebM file.")
        }
        self.path = FilePlace.real(path) ?? path
        width = Int(facts.width)
        height = Int(facts.height)
        rate = facts.rate.isFinite ? facts.rate : 0
        duration = facts.duration.isFinite ? facts.duration : 0
        layout =
            switch facts.layout {
            case VIDEO_TOP_BOTTOM: .topBottom
            case VIDEO_SIDE_BY_SIDE: .sideBySide
            default: .mono
            }
        isEquirectangular = facts.is_equirectangular
        codec = withUnsafeBytes(of: facts.codec) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The facts in one line for people: "vp9, 2048 × 1024, 25 frames/s, 12.5 s, top-bottom".
    public var words: String {
        func number(_ value: Double) -> String { Float((100 * value).rounded() / 100).description.replacing(/\.0$/, with: "") }
        var parts = [codec, "\(width) × \(height)"]
        if rate > 0 { parts.append("\(number(rate)) frames/s") }
        if duration > 0 { parts.append("\(number(duration)) s") }
        return (parts + [layout.name]).joined(separator: ", ")
    }
}

/// Arrangement of the two eyes' pictures in a frame of 360-degree video.
public enum VideoLayout: Int, CaseIterable, Sendable {
    /// As the file's metadata say; mono without any.
    case automatic
    /// One picture for both eyes.
    case mono
    /// The left eye's picture above the right eye's.
    case topBottom
    /// The left eye's picture to the left of the right eye's.
    case sideBySide

    /// Names in files, addresses and options.
    public static let names = ["auto", "mono", "top-bottom", "side-by-side"]
    public var name: String { Self.names[rawValue] }

    public init?(_ name: String) {
        guard let number = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: number)
    }
}
