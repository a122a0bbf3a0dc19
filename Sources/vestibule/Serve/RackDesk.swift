import Crossing
import Hub
import Media
import Parameters
import Rack
import RackControl
import Render

/// All racks of the running engine, by their names. Made and used on the control thread.
final class RackDesk {
    let stations: [RackStation]
    private let hub: Hub
    private let limiting: SharedRow
    private let workshop = ResponseWorkshop()
    /// Racks of a session whose listeners this run does not have.
    private var absent: [String: RackDescription] = [:]

    init(hub: Hub, lines: RenderLines, rate: Int, period: Int, shelf: PresetShelf) {
        self.hub = hub
        limiting = lines.limiting
        let (listeners, workshop) = (lines.listeners, workshop)
        stations = RackPosition.all(listeners: listeners.count).map { position in
            let plans =
                switch position {
                case .recording: listeners.map(\.recordingRack)
                case .input: [lines.inputRack]
                case .output(let listener): [listeners[listener].outputRack]
                }
            return RackStation(position, hub: hub, rate: rate, period: period, plans: plans, shelf: shelf, workshop: workshop)
        }
        hub.publish(hub.tree.slot(ProtectionParameter.latency), .number(Float(lines.protectionLatency)))
    }

    /// Told the name of a rack and what stood in it, when something else stands in it now.
    var onEdit: (_ name: String, _ before: RackDescription) -> Void = { _, _ in }

    /// - Parameter onShapeChange: told the address below which parameters have come or gone.
    func connect(onShapeChange: @escaping (String) -> Void) {
        for station in stations {
            station.connect()
            station.onShapeChange = onShapeChange
            let name = station.position.name
            station.onEdit = { [unowned self] in onEdit(name, $0) }
        }
    }

    /// From now on sound is running, and edits fade.
    func start() { for station in stations { station.isRunning = true } }

    /// Ends what is being read.
    func stop() { workshop.stop() }

    func publish() {
        for report in workshop.take() { stations[report.customer.rack].take(report) }
        for station in stations { station.publish() }
        let reduction = limiting.take(0)
        hub.publish(hub.tree.slot(ProtectionParameter.reduction), .number((reduction * 10).rounded() / 10))
    }

    /// What the meters of all effects have shown since the last call.
    func takeMeters() -> [TelemetryDelta.Slot] { stations.flatMap { $0.takeMeters() } }

    // MARK: Sessions

    /// What a session keeps: the racks that are not empty.
    var racks: [String: RackDescription] {
        stations.reduce(into: absent) { racks, station in
            let rack = station.description
            if !rack.places.isEmpty { racks[station.position.name] = rack }
        }
    }

    /// - Throws: when something that these racks need cannot be used.
    func check(_ racks: [String: RackDescription]) throws {
        for station in stations { if let rack = racks[station.position.name] { try station.prepare(rack) } }
    }

    /// Brings some racks back; effects that stand there already go on.
    func restore(_ racks: [String: RackDescription]) throws {
        for station in stations { if let rack = racks[station.position.name] { try station.restore(rack) } }
    }

    /// Exchanges all racks, those that are not named for nothing; effects that stand there already go on.
    func load(_ racks: [String: RackDescription]) throws {
        absent = racks
        for station in stations {
            let rack = absent.removeValue(forKey: station.position.name)
            try station.restore(rack ?? RackDescription(), title: rack == nil ? "" : "session")
        }
    }
}
