import Binaural
package import FileOutput
import Files
import ListeningTest
import Media
import Session

/// Files that clients may send into the program's own folders.
extension ClientFiles {
    /// Name of the kind of sidecars: files with the positions of microphones, stored beside recordings.
    static let sidecars = "sidecars"

    package var accepted: [AcceptedFiles] {
        func files(_ kind: Kind, _ endings: [String], _ most: Int, _ check: @escaping @Sendable (String) throws -> Void) -> AcceptedFiles {
            AcceptedFiles(kind.rawValue, folder: folder(kind), endings: endings, most: most, check: check)
        }
        func sounds(_ kind: Kind, _ most: Int, _ check: @escaping @Sendable (String) throws -> Void) -> AcceptedFiles {
            files(kind, SoundEndings.all, most) {
                try CutFile.refuse(path: $0)
                try check($0)
            }
        }
        let megabyte = 1 << 20
        return [
            sounds(.recordings, 8192 * megabyte) { _ = try RecordingReader(path: $0) },
            AcceptedFiles(
                Self.sidecars, folder: folder(.recordings), endings: ["json"], most: megabyte,
                check: { try MicrophoneArray.check(sidecar: $0) }),
            AcceptedFiles(
                LibraryFolder.videos, folder: folder(.recordings), endings: VideoFacts.endings.sorted(), most: 65_536 * megabyte,
                check: { _ = try VideoFacts(path: $0, checksName: false) }),
            sounds(.sounds, 512 * megabyte) { try ObjectSoundFile.check(path: $0) },
            sounds(.responses, 128 * megabyte) { try ImpulseResponse.check(path: $0) },
            files(.hrtf, ["sofa"], 512 * megabyte) { _ = try SofaFile(path: $0) },
            files(.presets, ["json"], megabyte) { _ = try RackFile.read($0) },
            files(.rooms, ["json"], megabyte) { _ = try RoomFile(path: $0) },
            files(.tests, ["json"], megabyte) { _ = try TestDefinition(json: RegularFile.text($0), name: $0) },
        ]
    }
}
