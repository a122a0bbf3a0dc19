import Crossing
package import Hub
import Media
import Parameters
import Rack
import Render

/// All racks of the running engine, by name. Used on the control thread only.
package final class Racks {
    private(set) var editors: [RackEditor]
    private let hub: Hub
    private let limiting: TargetRow
    private let loader = ResponseLoader()
    private let makeEditor: (RackPosition, [Parcel<Handover<RackPlan>.Control>], _ largestBlock: Int) -> RackEditor
    private var isRunning = false
    private var ticks = 0
    /// Ticks between two checks of a rack without effects: half a second. A thousand listeners have a thousand racks.
    private static let idleTicks = 16
    /// Listener, counted from 0, whose sound a listening test compares; the meters of the racks that this sound passes read as silence.
    var blinded: Int? {
        didSet {
            for editor in editors {
                switch editor.position {
                case .recording: editor.isBlinded = blinded != nil
                case .output(let listener): editor.isBlinded = listener == blinded
                case .input: break
                }
            }
        }
    }
    /// Racks of a session that belong to listeners this run does not have; they are kept.
    private var absent: [String: RackDescription] = [:]

    init(hub: Hub, lines: RenderConnections, rate: Int, period: Int, presets: PresetFolder, files: MessageFiles) {
        self.hub = hub
        limiting = lines.limiting
        let (listeners, loader) = (lines.listeners, loader)
        let makeEditor = { (position: RackPosition, plans: [Parcel<Handover<RackPlan>.Control>], largestBlock: Int) in
            RackEditor(
                position, hub: hub, rate: rate, period: largestBlock, plans: plans, presets: presets, loader: loader, files: files)
        }
        self.makeEditor = makeEditor
        editors = RackPosition.all(listeners: listeners.count).map { position in
            let plans =
                switch position {
                case .recording: listeners.map(\.recordingRack)
                case .input: [lines.direct.inputRack]
                case .output(let listener): [listeners[listener].outputRack]
                }
            return makeEditor(position, plans, period)
        }
        hub.publish(hub.tree.index(ProtectionParameter.latency), .number(Float(lines.protectionLatency)))
    }

    /// Called with a rack's name and its former content when a rack has changed.
    var onEdit: (_ name: String, _ before: RackDescription) -> Void = { _, _ in }

    /// Called with the address below which parameters were added or removed.
    private var onShapeChange: (String) -> Void = { _ in }

    /// - Parameter onShapeChange: called with the address below which parameters were added or removed.
    func connect(onShapeChange: @escaping (String) -> Void) {
        self.onShapeChange = onShapeChange
        editors.forEach(connect)
    }

    private func connect(_ editor: RackEditor) {
        editor.connect()
        editor.onShapeChange = onShapeChange
        let name = editor.position.name
        editor.onEdit = { [unowned self] in onEdit(name, $0) }
    }

    /// Makes the rack of a new listener, and gives it a copy of the recording's.
    func add(_ listener: Int, _ line: RenderConnections.Listener) {
        editors[RackPosition.recording.instance].add(line.recordingRack, largestBlock: line.largestBlock)
        let editor = makeEditor(.output(listener), [line.outputRack], line.largestBlock)
        precondition(editor.position.instance == editors.count, "listeners are made in order")
        editor.isRunning = isRunning
        connect(editor)
        editors.append(editor)
    }

    /// Empties the rack of a listener.
    func clear(_ listener: Int) {
        try? editors[RackPosition.output(listener).instance].load(RackDescription(), title: "")
    }

    /// Makes edits fade from now on, because sound is running.
    func start() {
        isRunning = true
        for editor in editors { editor.isRunning = true }
    }

    /// Whether a rack belongs to a present listener.
    private func isThere(_ editor: RackEditor) -> Bool {
        if case .output(let listener) = editor.position { hub.tree.isPresent[listener] } else { true }
    }

    /// Whether no impulse response is being read.
    var isSettled: Bool { editors.allSatisfy(\.responses.isComplete) }

    /// Stops reading impulse responses.
    func stop() { loader.stop() }

    /// Takes impulse responses that were read, and publishes meters; about thirty times a second.
    func publish() {
        for report in loader.take() { editors[report.key.rack].take(report) }
        ticks &+= 1
        for (place, editor) in editors.enumerated() where isThere(editor) {
            if !editor.isIdle || (ticks &+ place) % Self.idleTicks == 0 { editor.publish() }
        }
        let taken = limiting.take(0)
        let reduction = blinded == nil ? taken : 0
        hub.publish(hub.tree.index(ProtectionParameter.reduction), .number((reduction * 10).rounded() / 10))
    }

    /// Returns the effects that were cleared since the last call because their sound had left its range.
    func takeResets() -> [(place: String, count: Int, nonFinite: Int)] { editors.lazy.filter(isThere).flatMap { $0.takeResets() } }

    /// Returns the effects' meter readings since the last call.
    package func takeMeters() -> [TelemetryDelta.Slot] { editors.lazy.filter(isThere).flatMap { $0.takeMeters() } }

    // MARK: Sessions

    /// Whether sessions keep a rack.
    var isKept: (RackPosition) -> Bool = { _ in true }

    /// The racks that are not empty, as sessions keep them.
    var descriptions: [String: RackDescription] {
        editors.lazy.filter { [isKept] in isKept($0.position) }.reduce(into: absent) { racks, editor in
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
        for editor in editors where isKept(editor.position) {
            let rack = absent.removeValue(forKey: editor.position.name)
            try editor.restore(rack ?? RackDescription(), title: rack == nil ? "" : "session")
        }
    }
}
