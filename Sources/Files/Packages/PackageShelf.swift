internal import CRealtime
internal import FileOutput
internal import Files
internal import Foundation
internal import Media
internal import Synchronization
internal import Threads

/// The packages in the sub-folders of a folder, as `list.json`. Folders are read by its own thread, again when they are requested.
public final class PackageShelf: Sendable {
    /// Nanoseconds for which a list is not read again.
    private static let freshness: UInt64 = 2_000_000_000

    private struct Entry: Encodable {
        let path: String
        let title: String
    }

    private struct State {
        var list: [UInt8] = Array("[]\n".utf8)
        var time: UInt64 = 0
    }

    private let folder: String
    private let state = Mutex(State())
    private let work = SerialWork(name: "packages")

    /// Reads the folder once.
    public init(folder: String) {
        self.folder = folder
        read()
    }

    /// The newest list as JSON. A list that is older than a few seconds is read again in the background.
    public var list: [UInt8] {
        let (list, time) = state.withLock { ($0.list, $0.time) }
        if rt_now() - time > Self.freshness, !work.isBusy { work.add { [self] in read() } }
        return list
    }

    private func read() {
        let names = FilePlace.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
        let entries = names.compactMap { name in Self.title(of: "\(folder)/\(name)").map { Entry(path: name, title: $0) } }
        guard let list = try? JSONEncoder.wire.encode(entries) else { return }
        state.withLock { $0 = State(list: [UInt8](list), time: rt_now()) }
    }

    /// Title of the package in a folder; nil when there is none, or one of another version.
    private static func title(of folder: String) -> String? {
        guard let root = FilePlace.real(FilePlace.folder(of: folder)), let place = FilePlace.real("\(folder)/\(PackageIndex.file)"),
            place.hasPrefix(root + "/"), let bytes = try? RegularFile(place).bytes(atMost: RegularFile.largestText),
            let index = try? JSONDecoder().decode(PackageIndex.self, from: Data(bytes)),
            index.format == PackageIndex.format, index.version == PackageIndex.current
        else { return nil }
        return index.title
    }
}
