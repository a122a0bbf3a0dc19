import CRealtime
import Hub
import Parameters
import Rack
import RackControl
import Session

/// Scenes: stored, and recalled with a crossfade.
///
/// Numbers walk, each along its parameter's scale; switches, choices, rows and what stands in racks change at the beginning.
extension SessionDesk {
    /// Characters of a scene's name.
    private static let longestName = 60
    private static let mostScenes = 200

    private func slot(_ parameter: SceneParameter) -> Int { hub.tree.slot(parameter) }

    func connectScenes() {
        hub.onSet(slot(.store)) { [unowned self] value, _ in try store(value.text ?? "") }
        hub.onSet(slot(.remove)) { [unowned self] value, _ in
            let scene = try find(value.text ?? "")
            change(scenes.filter { $0.name != scene.name }, "Remove scene \(scene.name)", current: nil)
        }
        hub.onSet(slot(.recall)) { [unowned self] value, _ in try recall(find(value.text ?? "")) }
    }

    private func find(_ name: String) throws -> Scene {
        if let scene = scenes.first(where: { $0.name == name }) { return scene }
        let names = scenes.isEmpty ? "none is stored" : "there is \(scenes.map(\.name).joined(separator: ", "))"
        throw SessionRefusal("there is no scene \"\(name.prefix(Self.longestName))\"; \(names)")
    }

    private func store(_ name: String) throws {
        guard !name.isEmpty, name.count <= Self.longestName, !name.contains(where: \.isNewline) else {
            throw SessionRefusal("a scene is named by 1 to \(Self.longestName) characters in one line")
        }
        var scene = Scene(
            name: name, snapshot: Snapshot(hub.tree, value: hub.value, racks: racks.racks, where: \.isInScenes))
        var stored = scenes
        if let known = stored.firstIndex(where: { $0.name == name }) {
            scene.unknown = stored[known].unknown
            stored[known] = scene
        } else {
            guard scenes.count < Self.mostScenes else {
                throw SessionRefusal("there are \(Self.mostScenes) scenes already; remove one first")
            }
            stored.append(scene)
        }
        change(stored, "Store scene \(name)", current: name)
    }

    private func change(_ changed: [Scene], _ title: String, current: String?) {
        var step = EditStep(title: title)
        step.scenes = .init(before: scenes, after: changed)
        scenes = changed
        if hub.markEdit() { doing = step }
        publishScenes(current: current)
    }

    /// - Parameter current: the scene that is heard now; nil leaves what was said before.
    func publishScenes(current: String? = nil) {
        hub.publish(slot(.names), .text(scenes.map(\.name).joined(separator: "\n")))
        if let current { hub.publish(slot(.current), .text(current)) }
        let said = hub.value(slot(.current)).text ?? ""
        if !scenes.contains(where: { $0.name == said }) { hub.publish(slot(.current), .text("")) }
        hub.isTouched = true
    }

    // MARK: Recalling

    private func recall(_ scene: Scene) throws {
        try racks.check(scene.snapshot.racks)
        let seconds = hub.value(slot(.crossfade)).numbers[0]
        walk = nil
        var step = EditStep(title: "Recall scene \(scene.name)")
        var ways: [SceneWalk.Way] = []
        func go(_ address: String, to value: ParameterValue) {
            guard let slot = hub.tree.slot(at: address) else { return }
            let (spec, now) = (hub.tree.nodes[slot].spec, hub.value(slot))
            guard now != value else { return }
            guard seconds > 0, spec.isGradual, case .number(let from) = now, case .number(let to) = value else {
                return set(address, spec.arguments(value))
            }
            ways.append(.init(address: address, spec: spec, from: from, to: to))
            step.settings.append(.init(address: address, spec: spec, before: now, after: value))
        }
        for node in hub.tree.nodes where node.isInScenes { go(node.address, to: scene.snapshot.value(node)) }
        for station in racks.stations {
            let name = station.position.name
            let (old, new) = (station.description, scene.snapshot.racks[name] ?? RackDescription())
            let start = RackTransition.start(from: old, to: new)
            if start != old {
                try station.restore(start)
                step.racks[name] = .init(before: old, after: new)
            }
            for (address, value) in RackTransition.settings(new, in: station.position.container) { go(address, to: value) }
        }
        if hub.markEdit() { doing = step }
        hub.publish(slot(.current), .text(scene.name))
        walk = SceneWalk(ways, start: rt_now(), duration: UInt64(Double(seconds) * 1e9))
    }

    /// Goes on with a crossfade.
    func step(now: UInt64) {
        guard let walk else { return }
        for (address, value) in walk.values(now) {
            guard let slot = hub.tree.slot(at: address), hub.value(slot) != .number(value) else { continue }
            hub.handle(Message(address: address, arguments: [.float(value)], receiveTime: now))
        }
        let share = walk.isEmpty ? 1 : walk.share(now)
        if share >= 1 { endWalk() } else { hub.publish(slot(.progress), .number((share * 100).rounded(.down) / 100)) }
    }

    func endWalk() {
        walk = nil
        hub.publish(slot(.progress), .number(1))
    }
}
