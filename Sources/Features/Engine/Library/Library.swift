import Archives
import FileOutput
import Hub
package import Media
import Parameters
import Threads

/// The media library: the list of all files, whose sounds are measured one after the other by a thread of low priority. Used on the control
/// thread, which opens no files.
package final class Library {
    /// Minimum number of ticks between two scans of the folders.
    private static let ticks = 60
    /// Minimum ticks between list updates while sounds are measured, and files per additional tick: clients fetch the
    /// whole list.
    private static let (listTicks, filesPerTick) = (15, 50)
    private let hub: Hub
    private let files: MessageFiles
    private let editing: LibraryEditing
    private let measuring: LibraryMeasuring
    package private(set) var folders: [LibraryFolder]
    private let work = SerialWork(name: "library")
    private let found = Mailbox<LibraryScan>()
    private let made = Mailbox<LibraryIndex>()
    private var index: LibraryIndex?
    private var scan: LibraryScan?
    private var (nextLook, nextList) = (0, 0)
    private var tickCount = 0
    private var hasNews = false
    package let space: LibrarySpace

    /// - Parameters:
    ///   - further: folders that are listed as well, and never changed.
    ///   - limit: maximum size of all files in bytes; nil for no limit.
    init(hub: Hub, files: MessageFiles, further: [String], limit: Int64?) {
        (self.hub, self.files) = (hub, files)
        space = LibrarySpace(limit: limit)
        folders = LibraryFolder.own(files.clients) + further.enumerated().map { .further($1, number: $0 + 1) }
        measuring = LibraryMeasuring(work: work)
        editing = LibraryEditing(hub: hub, files: files)
    }

    func connect() {
        editing.onChange = { [unowned self] in look() }
        editing.listing = { [unowned self] in (folders, scan) }
        editing.connect()
    }

    /// Path of the folder of the file at `/library/PLACE/NAME`; nil for none. Does not check whether the file exists.
    package func folder(of place: String, for name: String) -> String? {
        if place == ClientFiles.Kind.recordings.rawValue, let elsewhere = elsewhere(name) { return elsewhere }
        return folders.first { $0.place == place && $0.holds(name) }?.path
    }

    /// The folder of a recording outside the program's own folders, for following engines, which know only its name; nil for none.
    private func elsewhere(_ name: String) -> String? {
        let own = ClientFiles.Kind.recordings.rawValue
        return folders.first { folder in
            guard let only = folder.only, only == name || ClientFiles.sidecar(of: only) == name else { return false }
            return scan?.files.contains { $0.place == own && $0.name == only } != true
        }?.path
    }

    /// The spectrogram of a sound; nil until it has been measured.
    package func spectrogram(of place: String, _ name: String) -> SoundSpectrogram? {
        guard let file = scan?.files.first(where: { $0.place == place && $0.name == name }), let key = LibraryScan.key(file, folders) else {
            return nil
        }
        return measuring.measured[key]?.facts?.sound?.spectrogram
    }

    /// Lists recordings and videos that the command line names. They are only read.
    /// - Parameter paths: absolute ones; those in folders that are listed anyway are left out.
    func name(_ paths: [String]) {
        for path in paths {
            let new = LibraryFolder.named(path, number: folders.count { $0.only != nil } + 1)
            if !folders.contains(where: { $0.path == new.path && $0.holds(new.only ?? "") }) { folders.append(new) }
        }
    }

    /// The list in JSON; nil until the folders have been read.
    package var list: [UInt8]? { index?.bytes }

    /// A part of the list in JSON, as ``LibraryIndex/page(search:kind:tag:order:from:count:)`` makes it; nil until the folders have been
    /// read.
    package func page(search: String, kind: String, tag: String, order: String, from: Int, count: Int) -> [UInt8]? {
        index?.page(search: search, kind: kind, tag: tag, order: order, from: from, count: count)
    }

    // MARK: Following the folders

    /// Takes scans and measurements; called about thirty times a second.
    func tick() {
        tickCount += 1
        measuring.takeCache()
        if let new = found.take() { follow(new) }
        if measuring.settle() { hasNews = true }
        editing.tick()
        if files.isInBackground, tickCount >= nextLook { look() }
        measuring.next()
        if hasNews, tickCount >= nextList { makeList() }
        guard let new = made.take() else { return }
        index = new
        let changes = hub.tree.index(LibraryParameter.changes)
        hub.publish(changes, .number(hub.value(changes).numbers[0] + 1))
    }

    /// Schedules a scan of the folders, for example because a file has arrived.
    package func look() {
        // While a scan hangs in a folder that does not respond, no second scan begins.
        guard !work.isBusy else { return }
        nextLook = tickCount + Self.ticks
        space.beginScan()
        let abouts = scan?.abouts ?? AboutScan()
        let clients = files.clients
        let leftovers = LibraryLeftovers(folders: [clients.sentArchives, clients.madeArchives, clients.acceptedCovers.folder])
        work.add { [folders, found, cacheReader = measuring.cacheReader, isFirst = scan == nil, kinds = clients.archiveKinds] in
            if isFirst {
                ArchiveImport.settle(kinds)
                cacheReader()
            }
            found.put(LibraryScan(folders, known: abouts, leftovers: leftovers))
        }
    }

    private func follow(_ new: LibraryScan) {
        space.endScan(present: new.size)
        // Folders with thousands of files, or on a slow disk, are scanned less often.
        nextLook = tickCount + max(Self.ticks, Int(clamping: new.seconds * 50 * 30))
        guard new.files != scan?.files || new.contents != scan?.contents || new.size != scan?.size else { return }
        scan = new
        measuring.follow(new)
        (hasNews, nextList) = (true, tickCount)
    }

    private func makeList() {
        guard let scan else { return }
        (hasNews, nextList) = (false, tickCount + Self.listTicks + scan.files.count / Self.filesPerTick)
        work.add { [made, measured = measuring.measured, folders, limit = space.limit] in
            made.put(LibraryIndex(LibraryDocument(scan, measured, folders: folders, limit: limit)))
        }
    }

    func stop() {
        measuring.stop()
        editing.stop()
        _ = work.finish(within: 2)
    }
}

extension Engine {
    /// Path of the folder of the file at `/library/PLACE/NAME`; nil for none. Does not check whether the file exists.
    ///
    /// While a listening test is running, nobody may read its conditions.
    package func libraryFolder(of place: String, for name: String) -> String? {
        if tests.isBlind, place == ClientFiles.Kind.tests.rawValue { return nil }
        return libraries.archives.folder(of: place) ?? libraries.library.folder(of: place, for: name)
    }
}
