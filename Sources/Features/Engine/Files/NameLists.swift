import FileOutput
import Foundation
import Hub
import Media
import Parameters
import Pose
import Threads

/// Publishes the names that clients can choose from, and checks for new files every two seconds: on another thread while sound is running.
/// Opens no file.
final class NameLists {
    private let hub: Hub
    private let files: MessageFiles
    private let presets: [String]
    private let work = SerialWork(name: "folders")
    private let found = Mailbox<[(ListParameter, [String])]>()
    private var ticks = 0
    /// Ticks between two checks of the folders: two seconds.
    private static let folderTicks = 60
    /// Maximum number of names in a list.
    private static let most = 500

    init(hub: Hub, files: MessageFiles, presets: PresetFolder) {
        self.hub = hub
        self.files = files
        self.presets = presets.entries.map { ["program", $0.name, $0.title, $0.summary].joined(separator: "\t") }
    }

    func connect() {
        let trackers = TrackerProfile.table.map { profile in
            [profile.name, profile.title, profile.attachment ?? profile.port.map(String.init) ?? ""].joined(separator: "\t")
        }
        publish(.trackers, trackers)
        look()
        settle()
    }

    /// Publishes the names found, and checks the folders from time to time; called about thirty times a second.
    func settle() {
        for (list, lines) in found.take() ?? [] { publish(list, lines) }
        ticks += 1
        if ticks % Self.folderTicks == 0 { look() }
    }

    private func look() {
        let (folders, isAllowed) = (files.clients.folders, files.clients.admission)
        let body = { @Sendable [found, presets] in found.put(Self.lists(folders, presets, isAllowed)) }
        guard files.isInBackground else { return body() }
        // While a scan hangs in a folder that does not respond, no second scan begins.
        if !work.isBusy { work.add(body) }
    }

    private static func lists(
        _ folders: [ClientFiles.Kind: String], _ presets: [String], _ isAllowed: (String) -> Bool
    ) -> [(ListParameter, [String])] {
        func names(_ kind: ClientFiles.Kind, _ isWanted: (String) -> Bool) -> [String] { Self.names(folders[kind] ?? "", isWanted) }
        let own = UserPresets.names(in: folders[.presets] ?? "", most: most, isAllowed: isAllowed).map { "user\t" + $0 }
        return [
            (.recordings, names(.recordings) { $0.isEmpty || SoundEndings.contain($0) }),
            (.responses, names(.responses, SoundEndings.contain)),
            (.hrtfs, names(.hrtf) { $0 == "sofa" }),
            (.racks, presets + own),
            (.tests, names(.tests) { $0 == "json" }.map { String($0.dropLast(".json".count)) }),
            (.rooms, names(.rooms) { $0 == "json" }.map { String($0.dropLast(".json".count)) }),
            (.results, names(.results) { $0 == "csv" }),
        ]
    }

    /// - Parameter isWanted: decides by a name's extension in lower case.
    private static func names(_ folder: String, _ isWanted: (String) -> Bool) -> [String] {
        let found = FilePlace.names(in: folder)
        let wanted = found.filter { !$0.hasPrefix(".") && isWanted(URL(filePath: $0).pathExtension.lowercased()) }
        return Array(wanted.sorted().prefix(most))
    }

    private func publish(_ list: ListParameter, _ lines: [String]) {
        hub.publish(hub.tree.index(list), .text(lines.joined(separator: "\n")))
    }
}
