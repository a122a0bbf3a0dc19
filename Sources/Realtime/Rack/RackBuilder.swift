internal import Crossing
public import Effects
internal import Parameters
internal import RackCore

/// Makes plans from models: unchanged slots continue, added ones fade in, removed ones ring out at their position.
///
/// Used on the control thread. Every slot is made once for each of `copies` racks with the same parameters.
public final class RackBuilder {
    /// Maximum number of slots that ring out at once; beyond it the oldest is cut off.
    static let mostLeavers = 8

    private let rate: Float
    private let largestBlock: Int
    private let copies: Int
    private var places: [PlaceItem] = []
    private var leavers: [SlotItem] = []
    private let switches: [TargetRow]
    /// Empty for a rack that has never been bypassed.
    private var bypasses: [Box<RackBypass>] = []
    private var enters = false
    private var slots: [Int: RackModel.Slot] = [:]
    private var response: (RackDescription.Slot) -> ResponseSpectra? = { _ in nil }

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: largest number of frames rendered at once.
    ///   - copies: number of racks.
    public init(rate: Float, largestBlock: Int, copies: Int = 1) {
        self.rate = rate
        self.largestBlock = largestBlock
        self.copies = copies
        switches = (0..<copies).map { _ in RackSwitches.makeRow() }
    }

    // MARK: Applying a model

    /// Creates slots that are new in the model, and marks those that the model no longer has.
    ///
    /// - Parameters:
    ///   - enters: whether sound is running, so that new slots have to fade in.
    ///   - response: returns the impulse response of a slot, at the rate.
    public func follow(
        _ model: RackModel, enters: Bool,
        response: @escaping (RackDescription.Slot) -> ResponseSpectra? = { _ in nil }
    ) {
        (self.enters, self.slots, self.response) = (enters, model.slots, response)
        defer { (self.slots, self.response) = ([:], { _ in nil }) }
        let wanted = model.places.map { place in
            switch place {
            case .slot(let number): (rows: [RackModel.Row(slots: [number], mix: 1)], isBranched: false)
            case .rows(let rows): (rows: rows, isBranched: true)
            }
        }
        let pairs = Matching.best(places.count, wanted.count) { old, new in
            guard !places[old].isLeaving else { return 0 }
            return shared(places[old].rows.flatMap(\.slots), wanted[new].rows.flatMap(\.slots))
        }
        places = Matching.merge(
            pairs, old: places, new: wanted,
            leave: { leave($0) },
            enter: { enter($0.rows, isBranched: $0.isBranched) },
            keep: { place, wanted in keep(place, wanted.rows, isBranched: wanted.isBranched) })
        complete()
        set(bypass: model.state.isBypassed, fades: enters)
        while leavers.count > Self.mostLeavers { leavers.removeFirst().stage = .cut }
    }

    private func shared(_ items: [SlotItem], _ numbers: [Int]) -> Int {
        items.count { item in
            item.stage == .live && numbers.contains(item.number) && slots[item.number]?.generation == item.generation
        }
    }

    private func make(_ number: Int, enters: Bool) -> SlotItem {
        let slot = slots[number]!
        return SlotItem(
            number, slot, copies: copies, rate: rate, largestBlock: largestBlock, enters: enters,
            response: response(slot.description))
    }

    private func enter(_ rows: [RackModel.Row], isBranched: Bool) -> PlaceItem {
        PlaceItem(
            rows.map { row in
                RowItem(
                    row.slots.map { make($0, enters: enters && !isBranched) }, mix: row.mix, enters: enters && isBranched)
            }, isBranched: isBranched, enters: enters && isBranched)
    }

    private func leave(_ place: PlaceItem) {
        guard !place.isLeaving else { return }
        place.isLeaving = true
        if place.copies == nil {
            place.rows.flatMap(\.slots).forEach(leave)
        } else {
            place.rows.forEach(leave)
        }
    }

    private func leave(_ row: RowItem) {
        guard !row.isLeaving else { return }
        row.isLeaving = true
        leavers += row.slots.filter { $0.stage == .live }
    }

    private func leave(_ slot: SlotItem) {
        guard slot.stage == .live else { return }
        slot.stage = .leaving
        leavers.append(slot)
    }

    private func keep(_ place: PlaceItem, _ wanted: [RackModel.Row], isBranched: Bool) {
        place.isBranched = place.isBranched || isBranched
        let pairs = Matching.best(place.rows.count, wanted.count) { old, new in
            guard !place.rows[old].isLeaving else { return 0 }
            let live = place.rows[old].slots.filter { $0.stage == .live }
            return live.isEmpty && wanted[new].slots.isEmpty ? 1 : 2 * shared(live, wanted[new].slots)
        }
        if pairs.count < max(place.rows.count, wanted.count) { place.isBranched = true }
        place.rows = Matching.merge(
            pairs, old: place.rows, new: wanted,
            leave: { leave($0) },
            enter: { row in
                RowItem(row.slots.map { make($0, enters: false) }, mix: row.mix, enters: enters)
            },
            keep: { row, wanted in keep(row, wanted) })
    }

    private func keep(_ row: RowItem, _ wanted: RackModel.Row) {
        row.mix[0] = wanted.mix
        let pairs = Matching.best(row.slots.count, wanted.slots.count) { old, new in
            shared([row.slots[old]], [wanted.slots[new]])
        }
        row.slots = Matching.merge(
            pairs, old: row.slots, new: wanted.slots,
            leave: { leave($0) }, enter: { make($0, enters: enters) }, keep: { _, _ in })
    }

    /// Computes the latency of every row, and provides the delay lines that align parallel rows.
    private func complete() {
        for place in places where place.isBranched {
            let latest = place.rows.filter { !$0.isLeaving }.map(\.latency).max() ?? 0
            if place.copies == nil {
                place.copies = (0..<copies).map { _ in Box(RackPlace(enters: place.enters)) }
            }
            for row in place.rows where !row.isLeaving || row.copies == nil {
                row.delay = latest - min(latest, row.latency)
                guard row.copies == nil else { continue }
                // Until now the row had no parallel ones and passed everything without delay.
                let isNew = row.enters || !enters
                row.copies = (0..<copies).map { _ in
                    let state = RackRow(
                        gain: isNew ? row.mix[0] : 1, delay: isNew ? row.delay : 0, largestBlock: largestBlock,
                        enters: row.enters)
                    return (Box(state), TargetRow([0]))
                }
            }
        }
    }

    /// Frees slots, rows and places that are no longer heard.
    /// - Returns: true when there were any, so that new plans have to be made.
    public func tidy() -> Bool {
        var isNews = false
        func drop<Item>(_ items: inout [Item], _ isGone: (Item) -> Bool) {
            let count = items.count
            items.removeAll(where: isGone)
            if items.count != count { isNews = true }
        }
        for place in places {
            for row in place.rows { drop(&row.slots, \.isGone) }
            drop(&place.rows) { $0.isGone && place.copies != nil }
        }
        drop(&places) { place in
            place.isLeaving && (place.rows.isEmpty || place.copies == nil && place.rows.allSatisfy(\.slots.isEmpty))
        }
        leavers.removeAll { slot in !places.contains { $0.rows.contains { $0.slots.contains { $0 === slot } } } }
        return isNews
    }

    // MARK: Plans

    /// Latency of the rack, samples.
    public var latency: Int {
        places.reduce(0) { $0 + ($1.isLeaving ? 0 : $1.rows.filter { !$0.isLeaving }.map(\.latency).max() ?? 0) }
    }

    /// - Parameter copy: index of the rack among those with the same parameters.
    public func plan(copy: Int = 0) -> RackPlan {
        var (planned, rows, slots) = ([RackArrangement.Place](), [RackArrangement.Row](), [RackArrangement.Slot]())
        var (rowLinks, slotLinks) = ([RackPlan.RowLink](), [RackPlan.SlotLink]())
        var keepers: [any AnyObject & Sendable] = []
        for place in places {
            let state = place.copies?[copy]
            if let state { keepers.append(state) }
            planned.append(.init(place: state?.pointer, rows: place.rows.count, isLeaving: place.isLeaving))
            for row in place.rows {
                let state = row.copies?[copy]
                let gone = state?.gone ?? TargetRow([0])
                if let state { keepers.append(state.row) }
                keepers += [row.mix, gone] as [any AnyObject & Sendable]
                rows.append(
                    .init(
                        row: state?.row.pointer, mix: row.mix[0], slots: row.slots.count, delay: row.delay,
                        isLeaving: row.isLeaving))
                rowLinks.append(.init(mix: row.mix.view, gone: gone.view))
                for slot in row.slots {
                    let (state, meters) = slot.copies[copy]
                    keepers += [state, slot.controls, meters] as [any AnyObject & Sendable]
                    slots.append(.init(slot: state.pointer, stage: slot.stage))
                    slotLinks.append(.init(slot: state.pointer, controls: slot.controls.view, meters: meters.view))
                }
            }
        }
        let bypass = bypasses.isEmpty ? nil : bypasses[copy]
        keepers.append(switches[copy])
        if let bypass { keepers.append(bypass) }
        let arrangement = RackArrangement(places: planned, rows: rows, slots: slots, latency: latency, bypass: bypass?.pointer)
        return RackPlan(arrangement, slots: slotLinks, rows: rowLinks, switches: switches[copy].view, keepers: keepers)
    }

    // MARK: Live values

    /// Switches the bypass of the whole rack.
    /// - Parameter fades: whether sound is running.
    /// - Returns: true when new plans have to be made.
    @discardableResult
    public func set(bypass isOn: Bool, fades: Bool) -> Bool {
        for row in switches { row[RackSwitches.bypass] = isOn ? 1 : 0 }
        guard isOn, bypasses.isEmpty else { return false }
        bypasses = (0..<copies).map { _ in Box(RackBypass(latency: latency, largestBlock: largestBlock, isOn: !fades)) }
        return true
    }

    /// Returns the largest samples before and after the rack since the last call, over all copies.
    public func takeLevels() -> (input: Float, output: Float) {
        switches.reduce(into: (0, 0)) { levels, row in
            levels.0 = max(levels.0, row.take(RackSwitches.input))
            levels.1 = max(levels.1, row.take(RackSwitches.output))
        }
    }

    private func live(_ number: Int) -> SlotItem? {
        for place in places where !place.isLeaving {
            for row in place.rows where !row.isLeaving {
                if let slot = row.slots.first(where: { $0.number == number && $0.stage == .live }) { return slot }
            }
        }
        return nil
    }

    /// - Parameter control: index as in ``RackSlot/Control``.
    public func set(_ number: Int, _ control: Int, _ value: Float) { live(number)?.controls[control] = value }

    /// Returns the largest sample and the largest reduction in dB since the last call, over all copies.
    public func takeMeters(_ number: Int) -> (level: Float, reduction: Float) {
        guard let slot = live(number) else { return (0, 0) }
        return slot.copies.reduce(into: (0, 0)) { result, copy in
            result.0 = max(result.0, copy.meters.take(SlotMeter.level))
            result.1 = max(result.1, copy.meters.take(SlotMeter.reduction))
        }
    }

    /// Number of times that the effect of a slot was cleared because its output had left the range of plausible sound, and the number of
    /// these in which its samples were not finite; since the slot was made, summed over all copies.
    public func resets(_ number: Int) -> (all: Int, nonFinite: Int) {
        guard let slot = live(number) else { return (0, 0) }
        return slot.copies.reduce(into: (0, 0)) { result, copy in
            result.0 += Int(clamping: copy.meters[SlotMeter.resets])
            result.1 += Int(clamping: copy.meters[SlotMeter.nonFinite])
        }
    }
}
