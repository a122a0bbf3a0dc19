package import Crossing
import Effects
import FileOutput
package import Hub
package import Parameters
package import Rack
import RackCore
import Session

/// Edits one rack: applies what clients set, and keeps what is heard and what is published in step with it.
///
/// Used on the control thread only.
package final class RackEditor {
    package let position: RackPosition
    /// Whether sound is running, so that edits have to fade.
    package var isRunning = false
    /// Called with the rack's address when parameters below it were added or removed.
    package var onShapeChange: (String) -> Void = { _ in }
    /// Called with the rack's former content when it has changed.
    package var onEdit: (_ before: RackDescription) -> Void = { _ in }

    let hub: Hub
    private let presets: PresetFolder
    let files: MessageFiles
    let playback: RackPlayback
    let responses: ResponseLibrary
    let parameters: RackParameters
    private var meters: RackMeters
    /// Whether meters and levels read as silence.
    var isBlinded = false
    private var resets = RackResets()
    /// The rack as it is edited. It is heard as soon as all impulse responses that it needs have been read.
    var model = RackModel()
    /// Title of the side that is not heard.
    var otherTitle = ""
    /// Slots whose file was refused: the reason, and the generation of the slot at that time.
    var refusals: [Int: (generation: Int, reason: String)] = [:]

    /// - Parameters:
    ///   - rate: frames per second; `period`: the largest block, frames.
    ///   - plans: receivers of the rack's plans, one for each listener with this rack.
    ///   - loader: reads impulse responses while sound is running.
    ///   - files: provides the files that clients' messages need.
    package init(
        _ position: RackPosition, hub: Hub, rate: Int, period: Int, plans: [Parcel<Handover<RackPlan>.Control>],
        presets: PresetFolder, loader: ResponseLoader, files: MessageFiles
    ) {
        self.position = position
        self.hub = hub
        self.presets = presets
        self.files = files
        playback = RackPlayback(plans, rate: rate, period: period)
        responses = ResponseLibrary(rack: position.instance, rate: rate, loader: loader)
        parameters = RackParameters(hub: hub, container: position.container)
        meters = RackMeters(rack: position.instance)
    }

    func index(_ parameter: RackParameter) -> Int { hub.tree.index(parameter, position.instance) }

    /// Connects the rack's own parameters with what they do.
    package func connect() {
        connectSides()
        parameters.need = { [unowned self] in
            guard case .text("response", let name) = $0, !name.isEmpty else { return nil }
            return try files.read([.response(files.clients.path(name, .responses))])
        }
        parameters.onSlot = { [unowned self] in try edit($0, $1) }
        parameters.onMix = { [unowned self] in set(mix: $1, branch: $0) }
        hub.onSet(index(.layout)) { [unowned self] value, message in
            let layout = try RackLayout(value.text ?? "")
            try change { model throws(RackError) in try model.arrange(layout) }
            message.store(instead: .text(model.layout.description))
        }
        hub.onSet(index(.add)) { [unowned self] value, _ in
            guard let kind = EffectRegistry.standard.kind(at: Int(clamping: value.numbers[0])) else { return }
            try change { model throws(RackError) in _ = try model.add(kind) }
        }
        hub.onSet(index(.remove)) { [unowned self] value, _ in
            try change { model throws(RackError) in try model.remove(Int(clamping: value.numbers[0])) }
        }
        hub.onSet(index(.clear)) { [unowned self] _, _ in try load(RackDescription(), title: "") }
        hub.onNeed(index(.preset)) { [unowned self] value, _ in
            let name = presets.names[Int(clamping: value.numbers[0])]
            return try files.read([.rack(presets.path(name))])
        }
        hub.onSet(index(.preset)) { [unowned self] value, _ in
            let name = presets.names[Int(clamping: value.numbers[0])]
            try load(files.rack(presets.path(name)), title: name)
        }
        hub.onNeed(index(.load)) { [unowned self] value, _ in try files.read([.rack(rackPath(value))]) }
        hub.onSet(index(.load)) { [unowned self] value, _ in
            let path = try rackPath(value)
            try load(files.rack(path), title: title(of: path))
        }
        hub.onNeed(index(.save), isReplaced: false) { [unowned self] value, message in
            try files.write(saving(at: pathToWrite(value), message))
        }
        hub.onSet(index(.save)) { [unowned self] value, message in
            let path = try pathToWrite(value)
            try files.written(saving(at: path, message.message))
            hub.publish(index(.title), .text(title(of: path)))
        }
    }

    /// The rack as files describe it.
    package var description: RackDescription { model.description }

    // MARK: The rack as a whole

    /// Replaces the side that is heard; the previous effects ring out. While sound is running, the new rack is heard once its impulse
    /// responses have been read.
    /// - Throws: when an impulse response cannot be used; nothing is changed then.
    package func load(_ description: RackDescription, title: String) throws {
        var coming = description
        coming.state = model.state
        try change(title: title) { model in model.load(coming) }
    }

    /// Replaces the rack as ``load(_:title:)`` does, but effects that stay keep sounding, with other settings.
    /// - Parameter title: nil for the current one.
    /// - Throws: when an impulse response cannot be used; nothing is changed then.
    package func restore(_ description: RackDescription, title: String? = nil) throws {
        let before = model
        if description != self.description { try change(title: title) { model in model.restore(description) } }
        if let title { hub.publish(index(.title), .text(title)) }
        guard before != model else { return }
        for (number, slot) in model.slots where before.slots[number]?.generation == slot.generation {
            playback.set(number, of: model)
            parameters.show(number, slot)
        }
    }

    /// - Throws: when an impulse response that a rack names cannot be used.
    package func check(_ description: RackDescription) throws { try require(description.slots) }

    /// The job that writes the present rack.
    private func saving(at path: String, _ message: Message) -> FileWriting {
        var rack = description
        rack.state = RackState()
        let (title, makeFolder) = (title(of: path), files.clients.maker(.presets, of: path))
        return FileWriting { [rack, isReplaced = message.isConfirmed] in
            try makeFolder()
            try RackFile.write(rack, title: title, to: path, existing: isReplaced ? .replaced : .refused)
            return .written
        }
    }

    /// Name of the rack in a file, with its folder below that of the presets.
    private func title(of path: String) -> String { UserPresets.name(of: path, in: files.clients.folder(.presets)) }

    /// Path of the rack file that a client wants to write.
    private func pathToWrite(_ value: ParameterValue) throws -> String {
        try files.clients.pathToWrite(value.text ?? "", .presets, ending: ".json")
    }

    /// Path of the rack file that a client names.
    private func rackPath(_ value: ParameterValue) throws -> String {
        try files.clients.path(value.text ?? "", .presets, ending: ".json")
    }

    /// Throws if an impulse response cannot be used. While sound is running, this covers responses that were checked before the edit;
    /// others are refused when they are read.
    private func require(_ slots: [RackDescription.Slot]) throws {
        for path in slots.compactMap(ResponseLibrary.path) { try files.clients.check(path, .responses) }
        if isRunning {
            try responses.unknown(slots).forEach { try files.check(.response($0)) }
        } else {
            try responses.read(slots).forEach { hub.notice($0) }
        }
    }

    /// Sends the rack to a new listener.
    /// - Parameter largestBlock: maximum number of frames that it renders at once.
    func add(_ plan: Parcel<Handover<RackPlan>.Control>, largestBlock: Int) {
        playback.add(plan, largestBlock: largestBlock, responses)
    }

    // MARK: Edits

    func change(title: String? = nil, _ edit: (inout RackModel) throws -> Void) throws {
        var coming = model
        try edit(&coming)
        try require(coming.slots.values.map(\.description))
        exchange(for: coming, title: title)
    }

    /// - Parameter title: nil for the current one.
    func exchange(for coming: RackModel, title: String?) {
        let before = model.description
        let title = exchangeTitles(coming, title)
        model = coming
        if let title { hub.publish(index(.title), .text(title)) }
        orderResponses()
        followWhenReady()
        describe()
        if model.description != before { onEdit(before) }
    }

    /// Lets the edited rack be heard as soon as all its impulse responses are there.
    func followWhenReady() {
        guard responses.isComplete else { return }
        playback.play(model, title: hub.value(index(.title)).text ?? "", fades: isRunning, responses)
        orderResponses()
        hub.publish(index(.latency), .number(Float(playback.latency)))
    }

    private func orderResponses() {
        responses.request(model.slots.values.map(\.description), heard: playback.heard.slots.values.map(\.description))
    }

    /// Publishes the parameters of slots and branches.
    private func describe() {
        let isChanged = parameters.describe(model)
        hub.publish(index(.layout), .text(model.layout.description))
        publishState()
        publishStates()
        if isChanged { onShapeChange(position.container) }
    }

    /// Applies what a client has set of a slot.
    private func edit(_ number: Int, _ edit: SlotEdit) throws {
        switch edit {
        case .effect(let kind):
            guard model.slots[number]?.description.kind != kind else { return }
            try change { model throws(RackError) in try model.replace(number, by: kind) }
        case .text(let name, let text):
            do {
                let text = text.isEmpty ? text : try files.clients.path(text, .responses)
                try change { $0.renew(number) { $0.texts[name] = text } }
            } catch {
                refuse(number, error)
                throw error
            }
        case .bypass(let isOn):
            model.edit(number) { $0.bypass = isOn }
            playback.set(number, RackSlot.Control.bypass, isOn ? 1 : 0, of: model)
        case .mix(let mix):
            model.edit(number) { $0.mix = mix }
            playback.set(number, RackSlot.Control.mix, mix, of: model)
        case .value(let place, let value) where model.slots[number]?.description.kind.parameters[place].rebuilds == true:
            guard model.slots[number]?.description.values[place] != value else { return }
            try change { $0.renew(number) { $0.values[place] = value } }
        case .value(let place, let value):
            model.edit(number) { $0.values[place] = value }
            playback.set(number, RackSlot.Control.first + place, value, of: model)
        }
    }

    private func set(mix: Float, branch: Int) {
        model.set(mix: mix, branch: branch)
        if responses.isComplete { playback.follow(model, fades: isRunning, responses) }
    }

    // MARK: Thirty times a second

    /// Publishes the meters, frees effects that have rung out, and repeats plans that the renderer had no room for.
    package func publish() {
        readMeters()
        parameters.publish(meters.takeUnpublished()) { [unowned self] in interval($0) }
        publishLevels()
        playback.tidy()
    }

    /// Returns the meter readings since the last call, in the order of the slots' numbers.
    package func takeMeters() -> [TelemetryDelta.Slot] {
        guard !isIdle else { return [] }
        readMeters()
        return meters.take()
    }

    /// Returns the effects that were cleared since the last call because their sound had left its range, in the order of their
    /// slots.
    func takeResets() -> [(place: String, count: Int, nonFinite: Int)] {
        guard !playback.heard.slots.isEmpty else { return [] }
        return playback.heard.slots.sorted { $0.key < $1.key }.compactMap { number, slot in
            resets.new(number, generation: slot.generation, playback.resets(number)).map { new in
                let effect = slot.description.kind.name
                return ("slot \(number) (\(effect)) of \(position.container)", new.all, new.nonFinite)
            }
        }
    }

    private func readMeters() {
        for number in parameters.numbers {
            let reading = playback.takeMeters(number)
            meters.add(number, isBlinded ? (0, 0) : reading)
        }
    }

    /// Milliseconds between the echoes of a delay; 0 for other effects.
    private func interval(_ number: Int) -> Float {
        guard let slot = model.slots[number]?.description else { return 0 }
        return slot.kind.interval(slot.values, tempo: hub.value(hub.tree.index(MetronomeParameter.tempo)).numbers[0]) ?? 0
    }
}
