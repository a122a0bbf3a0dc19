public import Crossing
public import Hub
public import Parameters
public import Rack
internal import Session

/// One rack: what stands in it, its parameters in the hub, and its way to the renderer. Lives on the control thread.
public final class RackStation {
    public let position: RackPosition
    /// Whether sound is running, so that edits have to fade.
    public var isRunning = false
    /// Told when parameters have come or gone, with the address of their container.
    public var onShapeChange: (String) -> Void = { _ in }

    /// Told what stood in it, when something else stands in it now.
    public var onEdit: (_ before: RackDescription) -> Void = { _ in }

    let hub: Hub
    private let builder: RackBuilder
    private let outlets: [PlanOutlet]
    let responses: ResponseLibrary
    private let shelf: PresetShelf
    /// What is wanted.
    var model = RackModel()
    /// What is heard: the same, unless an impulse response is still being read.
    private(set) var heard = RackModel()
    private var heardTitle = ""
    /// Of slots whose file was refused, the reason, and which effect stood there then.
    var refusals: [Int: (generation: Int, reason: String)] = [:]
    var nodes: [Int: SlotNodes] = [:]
    private var branches: [Int] = []
    /// The slots of each row when it was last described.
    private var rows: [[Int]] = []
    /// What the meters have shown and nobody has been told yet: the parameters, and ``takeMeters()``. By number.
    private var unpublished: [Int: TelemetryDelta.Slot] = [:]
    private var untaken: [Int: TelemetryDelta.Slot] = [:]
    /// A plan did not get through.
    private var isOwing = false

    /// - Parameters:
    ///   - rate: frames per second; `period`: frames that are rendered at once, at most.
    ///   - workshop: where impulse responses are read while sound is running.
    ///   - plans: where the rack is heard, one for each listener.
    public init(
        _ position: RackPosition, hub: Hub, rate: Int, period: Int, plans: [Parcel<Handover<RackPlan>.Control>],
        shelf: PresetShelf, workshop: ResponseWorkshop
    ) {
        self.position = position
        self.hub = hub
        self.shelf = shelf
        builder = RackBuilder(rate: Float(rate), largestBlock: period, copies: plans.count)
        outlets = plans.map { PlanOutlet($0.take()) }
        responses = ResponseLibrary(rack: position.instance, rate: rate, workshop: workshop)
    }

    func slot(_ parameter: RackParameter) -> Int { hub.tree.slot(parameter, position.instance) }

    /// Makes the rack's own parameters do what they say.
    public func connect() {
        hub.onSet(slot(.layout)) { [unowned self] value, _ in
            let layout = try RackLayout(value.text ?? "")
            try change { model throws(RackError) in try model.arrange(layout) }
            hub.store(instead: .text(model.layout.description))
        }
        hub.onSet(slot(.add)) { [unowned self] value, _ in
            guard let kind = EffectKind(rawValue: Int(value.numbers[0])) else { return }
            try change { model throws(RackError) in _ = try model.add(kind) }
        }
        hub.onSet(slot(.remove)) { [unowned self] value, _ in
            try change { model throws(RackError) in try model.remove(Int(value.numbers[0])) }
        }
        hub.onSet(slot(.clear)) { [unowned self] _, _ in try load(RackDescription(), title: "") }
        hub.onSet(slot(.preset)) { [unowned self] value, _ in
            let name = shelf.names[Int(value.numbers[0])]
            try load(shelf.read(name), title: name)
        }
        hub.onSet(slot(.load)) { [unowned self] value, _ in
            let path = value.text ?? ""
            let name = path.split(separator: "/").last.map { String($0.hasSuffix(".json") ? $0.dropLast(5) : $0) }
            try load(RackFile.read(path), title: name ?? "")
        }
        hub.onSet(slot(.save)) { [unowned self] value, _ in
            try RackFile.write(description, title: hub.value(slot(.title)).text ?? "", to: value.text ?? "")
        }
    }

    /// What stands in it, as files have it.
    public var description: RackDescription { model.description }

    /// Samples by which what leaves it is late.
    public var latency: Int { builder.latency }

    /// Exchanges everything; what was there rings out. While sound is running it is heard once its impulse responses
    /// have been read.
    /// - Throws: when an impulse response cannot be used; nothing is changed then.
    public func load(_ description: RackDescription, title: String) throws {
        try change(title: title) { model in model.load(description) }
    }

    /// As ``load(_:title:)``, but effects that stand there already go on with other settings.
    /// - Parameter title: nil for the present one.
    /// - Throws: when an impulse response cannot be used; nothing is changed then.
    public func restore(_ description: RackDescription, title: String? = nil) throws {
        let before = model
        if description != self.description { try change(title: title) { model in model.restore(description) } }
        if let title { hub.publish(slot(.title), .text(title)) }
        guard before != model else { return }
        for (number, slot) in model.slots where before.slots[number]?.generation == slot.generation {
            tell(number)
            _ = nodes[number]?.show(slot)
        }
    }

    /// Sets a slot that is heard to what is wanted of it.
    func tell(_ number: Int) {
        guard let settings = model.slots[number]?.description else { return }
        set(number, RackSlot.Control.bypass, settings.bypass ? 1 : 0)
        set(number, RackSlot.Control.mix, settings.mix)
        for (place, value) in settings.values.enumerated() { set(number, RackSlot.Control.first + place, value) }
    }

    /// Sets something of a slot, if it is heard already.
    private func set(_ number: Int, _ control: Int, _ value: Float) {
        guard heard.slots[number]?.generation == model.slots[number]?.generation else { return }
        builder.set(number, control, value)
    }

    /// Looks whether a rack can be loaded.
    /// - Throws: when an impulse response cannot be used.
    public func prepare(_ description: RackDescription) throws { try require(description.slots) }

    /// While sound is running, nobody waits for a file: only what is wrong at the first look is refused at once.
    private func require(_ slots: [RackDescription.Slot]) throws {
        if isRunning { try responses.check(slots) } else { try responses.read(slots) }
    }

    // MARK: Edits

    private func change(title: String? = nil, _ edit: (inout RackModel) throws -> Void) throws {
        var coming = model
        try edit(&coming)
        try require(coming.slots.values.map(\.description))
        exchange(for: coming, title: title)
    }

    /// - Parameter title: nil for the present one.
    func exchange(for coming: RackModel, title: String?) {
        let before = model.description
        model = coming
        if let title { hub.publish(slot(.title), .text(title)) }
        orderResponses()
        followWhenReady()
        describe()
        if model.description != before { onEdit(before) }
    }

    /// Lets be heard what is wanted, as soon as everything that it needs is there.
    func followWhenReady() {
        guard responses.isComplete else { return }
        follow()
        send()
        heard = model
        heardTitle = hub.value(slot(.title)).text ?? ""
        orderResponses()
        hub.publish(slot(.latency), .number(Float(latency)))
    }

    /// What is heard is what is wanted again.
    func goBack() { exchange(for: heard, title: heardTitle) }

    private func orderResponses() {
        responses.order(model.slots.values.map(\.description), heard: heard.slots.values.map(\.description))
    }

    private func follow() { builder.follow(model, enters: isRunning) { [responses] in responses.response($0) } }

    private func send() {
        isOwing = false
        for (copy, outlet) in outlets.enumerated() where !outlet.send(builder.plan(copy: copy)) { isOwing = true }
    }

    /// Puts the parameters of slots and branches into the hub, and takes out those of slots that are no longer.
    private func describe() {
        var isChanged = false
        for (number, old) in nodes where model.slots[number] == nil {
            old.leave()
            nodes[number] = nil
            isChanged = true
        }
        for (number, slot) in model.slots where nodes[number]?.generation != slot.generation {
            if let known = nodes[number] {
                if known.show(slot) { isChanged = true }
                continue
            } else {
                nodes[number] = SlotNodes(
                    number, slot, hub: hub, container: "\(position.container)/slot/\(number)",
                    edit: { [unowned self] in try edit(number, $0) })
            }
            isChanged = true
        }
        if describeBranches() { isChanged = true }
        hub.publish(slot(.layout), .text(model.layout.description))
        sayStates()
        if isChanged { onShapeChange(position.container) }
    }

    /// A row keeps its parameters as long as one of its slots stays; its number is its place, so that others are renamed.
    private func describeBranches() -> Bool {
        let now = model.branches
        let matches = BranchMatch.places(of: now.map(\.slots), among: rows)
        defer { rows = now.map(\.slots) }
        let kept = Set(matches.compactMap(\.self))
        let going = branches.indices.filter { !kept.contains($0) }
        var described = matches.map { $0.map { branches[$0] } }
        for index in going {
            _ = hub.exchange([branches[index]], for: [], containers: [branchContainer(index): String?.none])
        }
        // Each goes to a number that is free by then.
        let down = matches.indices.filter { index in (matches[index] ?? index) > index }
        let up = Array(matches.indices.filter { index in (matches[index] ?? index) < index }.reversed())
        for index in down + up {
            guard let old = matches[index], let slot = described[index] else { continue }
            hub.rename([(slot, mixHandler(index))], from: branchContainer(old), to: branchContainer(index))
        }
        for index in now.indices where described[index] == nil {
            let coming = Hub.Coming(
                "\(branchContainer(index))/\(RackBranchParameter.mix.leaf)", RackBranchParameter.mix.spec,
                .number(now[index].mix), handler: mixHandler(index))
            described[index] =
                hub.exchange(
                    [], for: [coming], containers: [branchContainer(index): RackBranchParameter.summary])[0]
        }
        branches = described.compactMap(\.self)
        for (slot, row) in zip(branches, now) { hub.publish(slot, .number(row.mix)) }
        return !going.isEmpty || !down.isEmpty || !up.isEmpty || now.count != kept.count
    }

    private func branchContainer(_ index: Int) -> String { position.container + RackBranchParameter.container(index) }

    private func mixHandler(_ index: Int) -> Hub.Handler {
        { [unowned self] value, _ in
            model.set(mix: value.numbers[0], branch: index)
            if responses.isComplete { follow() }
        }
    }

    /// What somebody sets of a slot.
    private func edit(_ number: Int, _ edit: SlotEdit) throws {
        switch edit {
        case .effect(let kind):
            guard model.slots[number]?.description.kind != kind else { return }
            try change { model throws(RackError) in try model.replace(number, by: kind) }
        case .text(let name, let text):
            do { try change { $0.renew(number) { $0.texts[name] = text } } } catch {
                refuse(number, error)
                throw error
            }
        case .bypass(let isOn):
            model.edit(number) { $0.bypass = isOn }
            set(number, RackSlot.Control.bypass, isOn ? 1 : 0)
        case .mix(let mix):
            model.edit(number) { $0.mix = mix }
            set(number, RackSlot.Control.mix, mix)
        case .value(let place, let value):
            model.edit(number) { $0.values[place] = value }
            set(number, RackSlot.Control.first + place, value)
        }
    }

    // MARK: Thirty times a second

    /// Publishes the meters, forgets what has rung out, and sends again what did not get through.
    public func publish() {
        readMeters()
        for (number, slot) in nodes {
            let meters = unpublished[number]
            slot.publish(level: meters?.level ?? 0, reduction: meters?.reduction ?? 0, interval: interval(number))
        }
        unpublished = [:]
        outlets.forEach { $0.collect() }
        if builder.tidy() || isOwing { send() }
    }

    /// What the meters have shown since the last call, whatever has been published of it; by number.
    public func takeMeters() -> [TelemetryDelta.Slot] {
        readMeters()
        defer { untaken = [:] }
        return untaken.values.sorted { $0.number < $1.number }
    }

    /// The audio thread's meters are emptied by reading them, and two want to know what they showed.
    private func readMeters() {
        for number in nodes.keys {
            let (level, reduction) = builder.takeMeters(number)
            let read = TelemetryDelta.Slot(rack: position.instance, number: number, level: level, reduction: reduction)
            unpublished[number, default: read].add(read)
            untaken[number, default: read].add(read)
        }
    }

    /// Of a delay, milliseconds.
    private func interval(_ number: Int) -> Float {
        guard let slot = model.slots[number]?.description, slot.kind == .delay else { return 0 }
        return EffectUnit.interval(slot.values, tempo: hub.value(hub.tree.slot(MetronomeParameter.tempo)).numbers[0])
    }
}
