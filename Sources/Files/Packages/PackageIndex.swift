internal import Files
internal import Foundation
public import Media

/// The index of a recording that is packed for browsers: a folder with `index.json` and one file for every second of sound.
///
/// protocol/recording-package.md describes the format.
public struct PackageIndex: Codable, Equatable, Sendable {
    /// Name of the format, and the version that this program writes.
    public static let format = "vestibule-recording"
    public static let current = 1
    /// Name of the file in the package's folder.
    public static let file = "index.json"

    public struct Chunk: Codable, Equatable, Sendable {
        /// Name of the file in the package's folder.
        public var file: String
        /// Length of the file.
        public var bytes: Int
        /// Lengths of its FLAC streams, in the order of ``PackageIndex/groups``.
        public var parts: [Int]
        /// SHA-256 of the file, in hexadecimal digits.
        public var sha256: String
    }

    public var format = PackageIndex.format
    public var version = PackageIndex.current
    public var title: String
    /// Frames per second.
    public var rate: Int
    public var frames: Int
    /// Frames in a chunk; the last one may be shorter.
    public var chunkFrames: Int
    /// Coding of the streams: "flac", 24 bits, or "opus".
    public var coding = "flac"
    /// Frames before and after the chunk that each stream begins and ends with; nil for none.
    public var lead: Int?
    public var trail: Int?
    /// Channels of each stream of a chunk.
    public var groups: [Int]
    public var array: SceneDescription.Geometry
    public var chunks: [Chunk] = []

    /// Sum of the sizes of all chunks.
    public var bytes: Int { chunks.reduce(0) { $0 + $1.bytes } }

    /// The index as JSON.
    func encoded() throws -> [UInt8] {
        return [UInt8](try JSONEncoder.file.encode(self)) + [UInt8(ascii: "\n")]
    }
}
