import Crossing
package import Hub
import Media
import Parameters
import Rack
import Render

/// All racks of the running engine, by name. Used on the control thread only.
package final class Racks {
    let editors: [RackEditor]
    private let hub: Hub
    private let limiting: TargetRow
    private let loader = ResponseLoader()
    /// Racks of a session that belong to listeners this run does not have; they are kept.
    private var absent: [String: RackDescription] = [:]

    init(hub: Hub, lines: RenderConnections, rate: Int, period: Int, presets: PresetFolder, files: FileDesk) {
        self.hub = hub
        limiting = lines.limiting
        let (listeners, loader) = (lines.listeners, loader)
        editors = RackPosition.all(listeners: listeners.count).map { position in
            let plans =
                switch position {
                case .recording: listeners.map(\.recordingRack)
                case .input: [lines.inputRack]
                case .output(let listener): [listeners[listener].outputRack]
                }
            return RackEditor(
                position, hub: hub, rate: rate, period: period, plans: plans, presets: presets, loader: loader,
                files: files)
        }
        hub.publish(hub.tree.index(ProtectionParameter.latency), .number(Float(lines.protectionLatency)))
    }

    /// Called with a rack's name and its former content when a rack has changed.
    var onEdit: (_ name: String, _ before: RackDescription) -> Void = { _, _ in }

    /// - Parameter onShapeChange: called with the address below which parameters were added or removed.
    func connect(onShapeChange: @escaping (String) -> Void) {
        for editor in editors {
            editor.connect()
            editor.onShapeChange = onShapeChange
            let name = editor.position.name
            editor.onEdit = { [unowned self] in onEdit(name, $0) }
        }
    }

    /// Makes edits fade from now on, because sound is running.
    func start() { for editor in editors { editor.isRunning = true } }

    /// Whether no impulse response is being read.
    var isSettled: Bool { editors.allSatisfy(\.responses.isComplete) }

    /// Stops reading impulse responses.
    func stop() { loader.stop() }

    /// Takes impulse responses that were read, and publishes meters; some thirty times a second.
    func publish() {
        for report in loader.take() { editors[report.customer.rack].take(report) }
        for editor in editors { editor.publish() }
        let reduction = limiting.take(0)
        hub.publish(hub.tree.index(ProtectionParameter.reduction), .number((reduction * 10).rounded() / 10))
    }

    /// Returns the effects that were cleared since the last call because their sound had left its range.
    func takeResets() -> [(place: String, count: Int, nonFinite: Int)] { editors.flatMap { $0.takeResets() } }

    /// Returns the effects' meter readings since the last call.
    package func takeMeters() -> [TelemetryDelta.Slot] { editors.flatMap { $0.takeMeters() } }

    // MARK: Sessions

    /// The racks that are not empty, as sessions keep them.
    var descriptions: [String: RackDescription] {
        editors.reduce(into: absent) { racks, editor in
            let rack = editor.description
            if rack != RackDescription() { racks[editor.position.name] = rack }
        }
    }

    /// - Throws: `MediaError` when an impulse response that these racks name cannot be used.
    func check(_ racks: [String: RackDescription]) throws {
        for editor in editors { if let rack = racks[editor.position.name] { try editor.check(rack) } }
    }

    /// Replaces the named racks; effects that stay keep sounding.
    func restore(_ racks: [String: RackDescription]) throws {
        for editor in editors { if let rack = racks[editor.position.name] { try editor.restore(rack) } }
    }

    /// Replaces all racks and empties those that are not named; effects that stay keep sounding.
    func load(_ racks: [String: RackDescription]) throws {
        absent = racks
        for editor in editors {
            let rack = absent.removeValue(forKey: editor.position.name)
            try editor.restore(rack ?? RackDescription(), title: rack == nil ? "" : "session")
        }
    }
}
