import Foundation
import Hub
import Parameters
import Pose

/// Publishes the names that clients can choose from, and looks for new files every two seconds. Opens no file.
///
/// Used on the control thread only.
final class NameLists {
    private let hub: Hub
    private let clients: ClientFiles
    private let presets: PresetFolder
    private var ticks = 0
    /// Ticks between two looks at the folders: two seconds.
    private static let folderTicks = 60
    /// Largest number of names in a list.
    private static let most = 500
    private static let soundEndings: Set<String> = ["wav", "wave", "bwf", "rf64", "w64", "caf", "aif", "aiff", "aifc", "flac"]

    init(hub: Hub, clients: ClientFiles, presets: PresetFolder) {
        self.hub = hub
        self.clients = clients
        self.presets = presets
    }

    func connect() {
        let trackers = TrackerProfile.table.map { profile in
            [profile.name, profile.title, profile.device ?? profile.port.map(String.init) ?? ""].joined(separator: "\t")
        }
        publish(.trackers, trackers)
        publishFolders()
    }

    /// Looks at the folders; called some thirty times a second.
    func settle() {
        ticks += 1
        if ticks % Self.folderTicks == 0 { publishFolders() }
    }

    private func publishFolders() {
        publish(.recordings, names(.recordings) { $0.isEmpty || Self.soundEndings.contains($0) })
        publish(.responses, names(.responses) { Self.soundEndings.contains($0) })
        publish(.hrtfs, names(.hrtf) { $0 == "sofa" })
        let own = names(.presets) { $0 == "json" }.map { "user\t" + $0.dropLast(".json".count) }
        publish(.racks, presets.entries.map { ["program", $0.name, $0.title, $0.summary].joined(separator: "\t") } + own)
    }

    /// - Parameter isWanted: tells by a name's extension in lower case.
    private func names(_ kind: ClientFiles.Kind, _ isWanted: (String) -> Bool) -> [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: clients.folder(kind))) ?? []
        let wanted = found.filter { !$0.hasPrefix(".") && isWanted(URL(filePath: $0).pathExtension.lowercased()) }
        return Array(wanted.sorted().prefix(Self.most))
    }

    private func publish(_ list: ListParameter, _ lines: [String]) {
        hub.publish(hub.tree.index(list), .text(lines.joined(separator: "\n")))
    }
}
