import CRealtime
import Crossing
import Hub
import Parameters
import Render
import RenderCore
import Session

/// Sound objects that are added and removed while the engine plays: the parameter that lists them, and the commands that change it.
///
/// Used on the control thread only.
final class ObjectPresence {
    private let hub: Hub
    private let files: MessageFiles
    private var parts: Handover<ObjectPart>.Control
    private let present: SwitchRow
    private let rate: Float
    private let period: Int
    /// Objects whose memory has not been sent.
    private var unsent: Set<Int> = []
    /// Longest time in nanoseconds that one tick spends on making memory; the rest follows in the next tick.
    private static let turn: UInt64 = 3_000_000
    /// Whether a text names a sound that objects can have.
    var isSource: (String) -> Bool = { _ in false }

    /// - Parameters:
    ///   - rate: of the renderer, frames per second.
    ///   - period: its largest block, frames.
    init(hub: Hub, lines: RenderConnections, files: MessageFiles, rate: Int, period: Int) {
        self.hub = hub
        self.files = files
        parts = lines.objectParts.take()
        present = lines.presentObjects
        self.rate = Float(rate)
        self.period = period
    }

    func connect() {
        guard hub.tree.objects > 0 else { return }
        hub.onNeed(hub.tree.index(ObjectSounds.add), isReplaced: false) { [unowned self] value, _ in
            let text = value.text ?? ""
            guard isSource(text) else { return nil }
            return try files.read([FileRequest.sound(of: text)].compactMap { $0 })
        }
        hub.onSet(hub.tree.index(ObjectSounds.add)) { [unowned self] value, _ in try add(value.text ?? "") }
        hub.onSet(hub.tree.index(ObjectSounds.remove)) { [unowned self] value, _ in try remove(Int(clamping: value.numbers[0]) - 1) }
        hub.onSet(hub.tree.index(ObjectSounds.list)) { [unowned self] value, context in
            context.store(instead: .text(try follow(value.text ?? "")))
        }
        hub.publish(hub.tree.index(ObjectSounds.most), .number(Float(hub.tree.objects)))
        publishCount()
    }

    // MARK: Commands

    private func add(_ text: String) throws(RequestError) {
        guard let free = hub.tree.isObjectPresent.firstIndex(of: false) else {
            throw RequestError(
                "there are \(hub.tree.objects) objects, which is the maximum; remove one with \(ObjectSounds.remove.address()) first")
        }
        list(hub.tree.presentObjects.union([free]))
        guard !text.isEmpty else { return }
        let parameter: ObjectParameter = isSource(text) ? .source : .name
        hub.set(parameter.address(free), to: [.string(text)])
    }

    private func remove(_ object: Int) throws(RequestError) {
        let objects = hub.tree.presentObjects
        guard objects.contains(object) else {
            let numbers = objects.isEmpty ? "there are no objects" : "there are \(ObjectNumbers.text(objects))"
            throw RequestError("there is no object \(object + 1); \(numbers)")
        }
        list(objects.subtracting([object]))
    }

    private func list(_ objects: Set<Int>) {
        hub.set(ObjectSounds.list.address(), to: [.string(ObjectNumbers.text(objects))])
    }

    /// Adds and removes objects so that exactly those listed in a text exist.
    /// - Returns: the text in its usual form.
    private func follow(_ text: String) throws(RequestError) -> String {
        guard let wanted = ObjectNumbers.objects(text, most: hub.tree.objects) else {
            throw RequestError(
                "\(ObjectSounds.list.address()) takes numbers from 1 to \(hub.tree.objects), such as 1-8,12, and not \"\(text.prefix(60))\""
            )
        }
        let objects = hub.tree.presentObjects
        let (gone, added) = (objects.subtracting(wanted).sorted(), wanted.subtracting(objects).sorted())
        for object in gone { disappear(object) }
        hub.setPresence(ofObjects: gone, false)
        // Before their memory is sent, because the renderer returns the memory of an absent object.
        for object in added { set(object, true) }
        unsent.formUnion(added)
        sendParts()
        hub.setPresence(ofObjects: added, true)
        publishCount()
        return ObjectNumbers.text(wanted)
    }

    // MARK: Coming and going

    /// Makes an object absent, and resets its parameters to their initial values.
    private func disappear(_ object: Int) {
        // First, so that it fades out where it is.
        set(object, false)
        unsent.remove(object)
        for parameter in ObjectParameter.allCases where parameter != .xyz {
            let index = hub.tree.index(parameter, object)
            let (address, spec) = (hub.tree.nodes[index].address, hub.tree.nodes[index].spec)
            guard spec.access == .readWrite, hub.value(index) != spec.initial else { continue }
            hub.set(address, to: spec.arguments(spec.initial))
        }
    }

    /// Reports to the renderer whether an object is present.
    private func set(_ object: Int, _ isPresent: Bool) {
        let presence = present.makeSwitch(object)
        presence.control.set(isPresent)
    }

    /// Sends the memory of objects that were added; that of hundreds takes a few ticks.
    private func sendParts() {
        let end = rt_now() &+ Self.turn
        while rt_now() < end, let object = unsent.min(), parts.send(ObjectPart(object: object, rate: rate, period: period)) {
            unsent.remove(object)
        }
    }

    private func publishCount() { hub.publish(hub.tree.index(ObjectSounds.count), .number(Float(hub.tree.presentObjects.count))) }

    /// Frees the memory of objects that have faded out, about thirty times a second.
    func settle() {
        parts.collect()
        sendParts()
    }

    // MARK: Sessions

    /// The objects of a session or a scene: those that it lists, or else the initial ones and all whose parameters it has.
    static func objects(in snapshot: Snapshot, _ tree: ParameterTree) -> ParameterValue {
        let list = tree.nodes[tree.index(ObjectSounds.list)]
        guard snapshot.parameters[list.address] == nil else { return snapshot.value(list) }
        var objects = ObjectNumbers.objects(list.spec.initial.text ?? "", most: tree.objects) ?? []
        for address in snapshot.parameters.keys {
            if let index = tree.declaredIndex(at: address), let object = tree.object(ofParameter: index) { objects.insert(object) }
        }
        return .text(ObjectNumbers.text(objects))
    }

    /// Adds and removes objects so that exactly those of a session exist.
    func follow(_ snapshot: Snapshot) {
        guard hub.tree.objects > 0, case .text(let text) = Self.objects(in: snapshot, hub.tree) else { return }
        hub.set(ObjectSounds.list.address(), to: [.string(text)])
    }
}
