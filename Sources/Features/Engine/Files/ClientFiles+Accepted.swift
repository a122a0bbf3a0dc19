package import Archives
import Binaural
package import FileOutput
import Files
import Foundation
import ListeningTest
import Media
import Parameters
import Pose
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

/// The files of an installation that archives hold.
extension ClientFiles {
    /// Name of the kind of uploads that are archives.
    package static let archives = "archives"

    /// Name of the kind of uploads that are pictures of files.
    static let covers = "covers"

    /// Folder of the archives that clients send; it is hidden.
    package var sentArchives: String { folder(.recordings) + "/.archives/sent" }

    /// Folder of the archives that clients fetch; it is hidden.
    package var madeArchives: String { folder(.recordings) + "/.archives/made" }

    /// Archives that clients send. Their lists of files are checked when they arrive, and their files when they are imported.
    package var acceptedArchives: AcceptedFiles {
        let kinds = archiveKinds
        return AcceptedFiles(Self.archives, folder: sentArchives, endings: ["zst", "gz", "tar"], most: 1 << 42) { path in
            do { try ArchiveImport(kinds) { _ in nil }.list(path) } catch { throw MediaError("\(path) cannot be imported: \(error).") }
        }
    }

    /// Pictures that clients upload before they assign them to files.
    package var acceptedCovers: AcceptedFiles {
        AcceptedFiles(
            Self.covers, folder: folder(.recordings) + "/.covers", endings: AboutFiles.pictures, most: CoverPicture.most,
            check: { try CoverPicture.check(path: $0) })
    }

    /// Every parameter that a session may have set. Made on the thread that checks the first one.
    private static let anySession = ParameterTree(
        ofAnySession: InterpolationMethod.allCases.map(\.name), formerMethods: InterpolationMethod.formerNames,
        method: InterpolationMethod.standard.name)

    /// Kinds of files in an archive: never tokens, certificates, caches or anything else that is not the user's work.
    package var archiveKinds: [ArchiveKind] {
        let accepted = accepted
        func kind(_ kind: Kind, isStandard: Bool = true, _ files: [AcceptedFiles]) -> ArchiveKind {
            ArchiveKind(kind.rawValue, folder: folder(kind), isStandard: isStandard, accepted: files, about: about)
        }
        func sent(_ names: String...) -> [AcceptedFiles] { names.compactMap { name in accepted.first { $0.name == name } } }
        func text(
            _ kind: Kind, _ endings: [String], most: Int = RegularFile.largestText, _ check: @escaping @Sendable (String) throws -> Void
        ) -> AcceptedFiles {
            AcceptedFiles(kind.rawValue, folder: folder(kind), endings: endings, most: most, check: check)
        }
        let recordings = ArchiveKind(
            Kind.recordings.rawValue, folder: folder(.recordings), depth: 1...2, grouping: .stem,
            accepted: sent(Kind.recordings.rawValue, Self.sidecars, LibraryFolder.videos), about: about,
            checkFolder: { _ = try RecordingReader(path: $0) })
        let presets = ArchiveKind(
            Kind.presets.rawValue, folder: folder(.presets), depth: 1...5, accepted: sent(Kind.presets.rawValue),
            about: about)
        return [
            recordings, kind(.sounds, sent(Kind.sounds.rawValue)), kind(.responses, sent(Kind.responses.rawValue)),
            kind(.hrtf, sent(Kind.hrtf.rawValue)), presets,
            kind(.motion, [text(.motion, ["csv"], most: 512 << 20) { _ = try MotionTrack(path: $0) }]),
            kind(.rooms, sent(Kind.rooms.rawValue)), takes,
            kind(.tests, isStandard: false, sent(Kind.tests.rawValue)),
            ArchiveKind(
                Kind.results.rawValue, folder: folder(.results), isStandard: false, grouping: .stem,
                accepted: [text(.results, ["csv", "json"], TestFiles.check)]),
            kind(.sessions, [text(.sessions, ["json"]) { _ = try SessionFile.read($0, Self.anySession) }]),
        ]
    }

    /// The user's descriptions and pictures of files.
    private var about: [AcceptedFiles] {
        [
            AcceptedFiles("words", folder: "", endings: [AboutFiles.words], most: FileAbout.most, check: { try FileAbout.check($0) }),
            acceptedCovers,
        ]
    }

    private var takes: ArchiveKind {
        let files = [
            AcceptedFiles(Kind.takes.rawValue, folder: folder(.takes), endings: SoundEndings.all, most: 1 << 40) { _ in },
            AcceptedFiles(Kind.takes.rawValue, folder: folder(.takes), endings: ["json", "csv"], most: 1 << 30) { _ in },
        ]
        return ArchiveKind(
            Kind.takes.rawValue, folder: folder(.takes), isStandard: false, depth: 2...2, grouping: .folder, accepted: files,
            about: about,
            checkFolder: { folder in
                let record = try TakeRecord.read(folder)
                for file in record.files where FilePlace.isTaken(folder + "/" + file.file) {
                    _ = try SoundFacts(path: folder + "/" + file.file)
                }
            }, isOpen: { (try? TakeRecord.read($0))?.state == .recording })
    }
}
