package import Media

/// A file of the media library, as clients get it in JSON.
package struct LibraryFile: Encodable, Sendable, Equatable {
    /// The folder: a kind of files, or `folder1` and so on for further folders, `named1` and so on for files that the command line names.
    package var place: String
    /// `recordings`, `videos`, `sounds`, `responses`, `hrtf`, `presets`, `sessions`, `tests`, `motion`, `rooms` or `takes`.
    package var kind: String
    /// Relative to the folder, with one slash at most.
    package var name: String
    /// Absolute path, by which clients name files that are only read.
    package var path: String?
    /// Bytes.
    package var size: Int64
    /// Time of the last change, nanoseconds since 1970.
    package var changed: Int
    /// Whether it is in a folder that the library only reads, or belongs to a take.
    package var isReadOnly: Bool
    /// The user's words and picture; nil for none.
    package var about: FileAbout?
    /// Whether it is a folder of mono files.
    package var isFolder: Bool?
    /// Form and loudness; nil for files without sound, and until it has been read.
    package var sound: SoundSummary?
    /// Nil for other files than videos, and until the file has been read.
    package var video: VideoSummary?
    package var hrtf: HRTFSummary?
    /// The reason why it cannot be read.
    package var problem: String?
}
