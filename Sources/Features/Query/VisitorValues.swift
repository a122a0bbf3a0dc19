package import Files
package import Hub
package import Parameters

/// Values of the namespace for clients that may view, but not control: without the machine's folders. Each is converted once after a
/// change, for all of these clients.
package final class VisitorValues {
    package let folders: HiddenFolders
    private let hub: Hub
    private var known: [Int: (value: String, shown: String)] = [:]
    private var version = 0

    package init(_ hub: Hub, _ folders: HiddenFolders) {
        (self.hub, self.folders) = (hub, folders)
        folders.spare(hub.tree.nodes.lazy.map(\.address))
    }

    /// - Parameter index: of a parameter.
    package func value(_ index: Int) -> ParameterValue {
        let value = hub.value(index)
        guard case .text(let text) = value, text.utf8.contains(UInt8(ascii: "/")) else { return value }
        if version != folders.version { (known, version) = ([:], folders.version) }
        if let known = known[index], known.value == text { return .text(known.shown) }
        let shown = folders.text(text)
        known[index] = (text, shown)
        return .text(shown)
    }
}
