import FileOutput
import Foundation
package import Media

/// A folder of the media library.
package struct LibraryFolder: Sendable {
    /// The PLACE in addresses `/library/PLACE/NAME`.
    package let place: String
    package let path: String
    /// Whether clients may delete its files.
    let isReadOnly: Bool
    /// Whether sound files are one folder deeper, as those of takes are.
    let isDeep: Bool
    /// The only file of the folder that belongs to the library; nil for all files.
    let only: String?
    /// The kind of a file by the ending of its name in lower case, empty for a folder of mono files; nil for others.
    let kind: @Sendable (_ ending: String) -> String?

    static let sounds = Set(SoundEndings.all)
    static let videos = "videos"

    /// The program's own folders.
    static func own(_ files: ClientFiles) -> [LibraryFolder] {
        // Takes and sessions have delete commands of their own.
        func folder(_ kind: ClientFiles.Kind, isReadOnly: Bool = false, _ endings: Set<String>) -> LibraryFolder {
            LibraryFolder(place: kind.rawValue, path: files.folder(kind), isReadOnly: isReadOnly, isDeep: kind == .takes, only: nil) {
                endings.contains($0) ? kind.rawValue : nil
            }
        }
        let recordings = LibraryFolder(
            place: ClientFiles.Kind.recordings.rawValue, path: files.folder(.recordings), isReadOnly: false, isDeep: false, only: nil,
            kind: medium)
        return [
            recordings, folder(.takes, isReadOnly: true, sounds), folder(.sounds, sounds), folder(.responses, sounds),
            folder(.hrtf, ["sofa"]),
            folder(.presets, ["json"]), folder(.sessions, isReadOnly: true, ["json"]), folder(.motion, ["csv"]),
            folder(.rooms, ["json"]), folder(.tests, ["json"]),
        ]
    }

    /// A further folder, whose recordings and videos are listed and never changed.
    /// - Parameter number: from 1.
    static func further(_ path: String, number: Int) -> LibraryFolder {
        LibraryFolder(place: "folder\(number)", path: FilePlace.equivalent(path), isReadOnly: true, isDeep: false, only: nil, kind: medium)
    }

    /// A recording or video that the command line names, by its absolute path; nothing else of its folder is listed or served.
    /// - Parameter number: from 1.
    static func named(_ path: String, number: Int) -> LibraryFolder {
        let place = URL(filePath: FilePlace.equivalent(path))
        return LibraryFolder(
            place: "named\(number)", path: place.deletingLastPathComponent().path, isReadOnly: true, isDeep: false,
            only: place.lastPathComponent, kind: medium)
    }

    /// Whether it is one of the program's own, in which clients may describe files.
    var isOwn: Bool { ClientFiles.Kind(rawValue: place) != nil }

    /// Whether its trash is emptied with the library's. The trash of sessions limits itself to the last hundred.
    var hasTrash: Bool { isOwn && place != ClientFiles.Kind.sessions.rawValue }

    /// Whether the library may show a name. Does not check that there is such a file.
    func holds(_ name: String) -> Bool { only.map { $0 == name } ?? true }

    private static let medium: @Sendable (String) -> String? = { ending in
        if ending.isEmpty || sounds.contains(ending) { return ClientFiles.Kind.recordings.rawValue }
        return VideoFacts.endings.contains(ending) ? videos : nil
    }
}

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
