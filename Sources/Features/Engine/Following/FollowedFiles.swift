import FileOutput
import Media
import Parameters
import Rack
import Session

/// Files that values and racks of the followed engine name: each is looked for in this engine's own folder of its kind, and fetched where
/// it is missing. Used on the control thread only.
final class FollowedFiles {
    private let files: MessageFiles
    private let tree: ParameterTree
    /// Nil where files are not fetched.
    private let fetcher: MediaFetcher?
    /// Impulse responses of the latest racks and scenes.
    private var responses: Set<MediaName> = []
    /// Reasons why files cannot be fetched.
    private var failures: [MediaName: String] = [:]

    init(_ files: MessageFiles, _ tree: ParameterTree, fetcher: MediaFetcher?) {
        (self.files, self.tree, self.fetcher) = (files, tree, fetcher)
    }

    /// The reasons why files cannot be fetched; empty for none.
    var problem: String {
        failures.sorted { $0.key.name < $1.key.name }.map { "\($0.key.words) cannot be fetched: \($0.value)" }.joined(separator: "; ")
    }

    /// The file that is being fetched, and its share; empty for none.
    var progress: String { fetcher?.progress ?? "" }

    func forget() {
        (responses, failures) = ([], [:])
        fetcher?.forget()
    }

    // MARK: Names

    /// A path of the followed engine, translated for this engine: if clients may not use it here, it becomes a path in this engine's folder
    /// of that kind.
    private func own(_ path: String, _ kind: ClientFiles.Kind) -> String {
        guard path.hasPrefix("/"), !files.clients.isAllowed(path), let file = MediaName(path: path, kind) else { return path }
        return files.clients.folder(kind) + "/" + file.name
    }

    /// A text of the followed engine, with its path translated for this engine.
    func own(_ text: String, at address: String) -> String {
        if case .video(let path) = FileRequest.setting(address, text, tree) { return own(path, .recordings) }
        // The only paths among the parameters of effects are impulse responses.
        return tree.declaredIndex(at: address) == nil ? own(text, .responses) : text
    }

    /// Racks and scenes of the followed engine, with their paths translated for this engine; notes their impulse responses, which are then
    /// fetched.
    func own(_ session: SessionFile, now: UInt64) -> SessionFile {
        responses = []
        return session.mapSlots { slot in
            guard let path = ResponseLibrary.path(slot) else { return slot }
            var slot = slot
            let own = own(path, .responses)
            slot.texts["response"] = own
            if let file = MediaName(path: own, .responses), files.clients.folder(.responses) + "/" + file.name == own {
                responses.insert(file)
            }
            return slot
        }
    }

    // MARK: Fetching

    /// Fetches the file that a refused text names.
    /// - Returns: the file, and whether it is on its way; nil when the text names none.
    func fetch(_ text: String, at address: String, now: UInt64) -> (file: MediaName, isComing: Bool)? {
        let file: MediaName? =
            switch FileRequest.setting(address, text, tree) {
            case .sound(let name): MediaName(kind: .sounds, name: name)
            case .video(let path): MediaName(path: path, .recordings)
            case nil where tree.index(at: address) == tree.index(MusicParameter.source):
                MusicReader.Source.isAddress(text) ? nil : MediaName(kind: .sounds, name: text)
            case nil where tree.declaredIndex(at: address) == nil: MediaName(path: text, .responses)
            default: nil
            }
        guard let file, fetcher != nil else { return nil }
        if case .fetching = want(file, now: now) { return (file, true) }
        return (file, false)
    }

    @discardableResult private func want(_ file: MediaName, now: UInt64) -> MediaFetcher.State? {
        let state = fetcher?.want(file, now: now)
        if case .failed(let reason) = state { failures[file] = reason } else { failures[file] = nil }
        return state
    }

    /// Forgets files that neither these texts nor the latest racks and scenes name.
    func keep(_ texts: Set<MediaName>) {
        let wanted = texts.union(responses)
        failures = failures.filter { wanted.contains($0.key) }
        fetcher?.keep(wanted)
    }

    /// Fetches what is still missing; called about thirty times a second.
    /// - Returns: the files that have arrived, and whether impulse responses of the latest racks and scenes are among them.
    func tick(now: UInt64) -> (arrived: Set<MediaName>, hasResponses: Bool) {
        guard let fetcher else { return ([], false) }
        fetcher.settle(now: now)
        for file in responses { want(file, now: now) }
        let arrived = fetcher.takeArrived()
        return (arrived, !responses.isDisjoint(with: arrived))
    }
}
