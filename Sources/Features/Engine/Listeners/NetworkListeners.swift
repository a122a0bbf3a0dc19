import CRealtime
import Crossing
import Device
import Hub
import Parameters
package import Render
import Trust

/// Listeners on the network: added and removed by commands, or with the clients that listen. Used on the control thread only.
///
/// A listener is made when its number is used for the first time, and reused after it was removed, so memory is bounded by the largest
/// number of listeners at a time.
package final class NetworkListeners {
    /// A present listener.
    private struct Place {
        /// Token by which a returning client proves that the listener is its own.
        let token: String
        /// Number of clients that listen.
        var clients = 0
        /// Number of clients that render it themselves.
        var renderers = 0
        var all: Int { clients + renderers }
        /// Number of connected clients that have presented its token, even if they play something else at the moment.
        var owners = 0
        /// Whether its sound is kept for takes.
        var isRecorded = false
        /// Whether it was added by a command, and stays until it is removed.
        var stays: Bool
        /// Time at which the last client left, CLOCK_MONOTONIC nanoseconds; nil while clients are connected, or when it stays.
        var left: UInt64?
    }

    /// A listener that a client has joined.
    package struct Joined {
        /// From 1.
        package let number: Int
        package let token: String
    }

    private let hub: Hub
    private let network: NetworkConnections
    private let present: SwitchRow
    private let lines: [WorkerLine]
    private let limit: Int
    private var threads: [ListenerWorker] = []
    /// Longest time in nanoseconds that one call spends on making listeners.
    private static let longestMaking: UInt64 = 5_000_000
    /// Number of network listeners that were made.
    private var made = 0
    /// By index among all listeners.
    private var places: [Int: Place] = [:]
    /// Listeners that are rendered, counted from 0.
    private var rendered: Set<Int> = []
    /// Whether the load is hidden, as during a listening test.
    var isBlinded = false
    private var known = (lost: 0, time: UInt64(0), busy: [Int]())
    /// Called with each listener that is made: its index among all listeners, and its connections.
    package var onMake: (Int, RenderConnections.Listener) -> Void = { _, _ in }
    /// Called with the index of a listener that has appeared.
    package var onAppear: (Int) -> Void = { _ in }
    /// Called before a listener is removed, to reset its rack and its settings.
    package var onRemove: (Int) -> Void = { _ in }
    /// Called before ``onRemove``, to release trackers, which must not turn the head of the next listener with this number.
    package var onLeave: (Int) -> Void = { _ in }

    init(hub: Hub, lines: RenderConnections) {
        self.hub = hub
        network = lines.network
        present = lines.present
        self.lines = lines.network.workers.map(WorkerLine.init)
        limit = hub.tree.listeners
        hub.publish(index(.most), .number(Float(limit)))
        hub.publish(index(.wired), .number(Float(wired)))
        publishCount()
    }

    private func index(_ parameter: NetworkListenerParameter) -> Int { hub.tree.index(parameter) }
    private var wired: Int { hub.tree.wired }

    func connect() {
        hub.onSet(index(.add)) { [unowned self] value, _ in _ = try add(name: value.text ?? "") }
        hub.onSet(index(.remove)) { [unowned self] value, _ in try remove(number: Int(clamping: value.numbers[0])) }
        for listener in 0..<limit {
            hub.onSet(hub.tree.index(ListenerParameter.name, listener)) { value, _ in try Self.check(name: value.text ?? "") }
            hub.onSet(hub.tree.index(ListenerClient.name, listener)) { value, _ in
                if value.text?.contains(where: \.isNewline) == true { throw RequestError("a client's name is one line") }
            }
        }
    }

    /// Starts the workers' threads.
    func start(_ format: DeviceFormat) throws(DeviceError) {
        for (number, worker) in network.workers.enumerated() {
            threads.append(try ListenerWorker(worker.renderer.take(), number: number, hop: network.hop, format: format))
        }
    }

    func stop() {
        for thread in threads { thread.stop() }
        threads = []
    }

    // MARK: Coming and going

    /// Adds a listener that stays until it is removed.
    /// - Returns: its index among all listeners.
    package func add(name: String) throws -> Int {
        try Self.check(name: name)
        let index = try appear(stays: true)
        // Adding and removing listeners cannot be undone.
        if !name.isEmpty { hub.asSeparateEdit { hub.set(ListenerParameter.name.address(index), to: [.string(name)]) } }
        return index
    }

    private static func check(name: String) throws {
        guard !name.contains(where: \.isNewline) else { throw RequestError("a listener's name is one line") }
    }

    /// Applies the names of a session: listeners that it names are added; others with a name are removed, or only lose their name if a
    /// client listens.
    /// - Parameter names: by index among all listeners, none of them empty.
    func follow(_ names: [Int: String]) {
        for (index, place) in places where names[index] == nil && isKept(index) {
            if place.all == 0 { disappear(index) } else { hub.set(ListenerParameter.name.address(index), to: [.string("")]) }
        }
        for (index, name) in names.sorted(by: { $0.key < $1.key }) where index >= wired {
            do {
                guard index < limit else { throw tooMany }
                if places[index] == nil { try appear(at: index, stays: true) }
                hub.set(ListenerParameter.name.address(index), to: [.string(name)])
            } catch { hub.notice("listener \(index + 1), \(name): \(error)") }
        }
    }

    /// Makes listeners that are to appear, and those with lower numbers, for at most a few milliseconds; each takes about one millisecond.
    /// - Parameter indices: among all listeners.
    /// - Returns: whether all are there.
    func prepare(_ indices: some Collection<Int>) -> Bool {
        let end = rt_now() + Self.longestMaking
        let last = indices.filter { $0 < limit }.max() ?? 0
        while wired + made <= last {
            guard rt_now() < end else { return false }
            makeNext()
        }
        return true
    }

    /// Removes a listener.
    /// - Parameter number: from 1.
    package func remove(number: Int) throws {
        guard number > wired else {
            throw RequestError(
                "listener \(number) belongs to the sound device and cannot be removed; only listeners from \(wired + 1) on can")
        }
        guard let place = places[number - 1] else { throw RequestError("there is no listener \(number); \(presentText)") }
        guard place.all == 0 else {
            throw RequestError(
                "listener \(number) is being heard by \(place.all) client\(place.all == 1 ? "" : "s"); disconnect first")
        }
        disappear(number - 1)
    }

    /// The reason why a client cannot join now; nil when it can.
    /// - Parameters:
    ///   - token: from an earlier call of ``join(token:)``.
    ///   - waiting: number of clients that may join first.
    package func refusal(token: String?, waiting: Int = 0) -> String? {
        let isFree = limit - wired - places.count > waiting
        return isFree || places.values.contains { $0.token == token } ? nil : tooMany.description
    }

    /// Numbers of the listeners on the network, from 1.
    var numbers: [Int] { places.keys.sorted().map { $0 + 1 } }

    /// Whether a listener is present.
    /// - Parameter number: from 1.
    package func isPresent(number: Int) -> Bool { (1...wired).contains(number) || places[number - 1] != nil }

    /// The number of the first listener with a name, from 1; nil for none.
    package func number(named name: String) -> Int? {
        guard !name.isEmpty else { return nil }
        return (Array(0..<wired) + places.keys.sorted()).first { hub.value(hub.tree.index(ListenerParameter.name, $0)).text == name }
            .map { $0 + 1 }
    }

    /// The number of the listener whose token this is, from 1; nil when there is none.
    package func owner(token: String) -> Int? { places.first { $0.value.token == token }.map { $0.key + 1 } }

    /// Whether a listener has this token.
    /// - Parameter number: from 1.
    package func isOwner(token: String, number: Int) -> Bool { places[number - 1]?.token == token }

    /// Connects a client to the listener of its token, or to a new listener.
    ///
    /// - Parameter token: from an earlier call; nil for a new listener.
    package func join(token: String?) throws -> Joined {
        if let token, let (index, place) = places.first(where: { $0.value.token == token }) {
            return Joined(number: index + 1, token: place.token)
        }
        let index = try appear(stays: false)
        return Joined(number: index + 1, token: places[index]?.token ?? "")
    }

    /// Notes how many clients hear a listener.
    /// - Parameters:
    ///   - number: from 1.
    ///   - renderers: clients that render it themselves; for these it exists, but is not rendered here.
    package func hear(number: Int, clients: Int, renderers: Int = 0) {
        let index = number - 1
        guard let before = places[index], (before.clients, before.renderers) != (clients, renderers) else { return }
        places[index]?.clients = clients
        places[index]?.renderers = renderers
        noteLeaving(index)
        render(index)
    }

    /// Notes whether a client that has presented a listener's token is connected. Meanwhile the listener stays reserved for it, even if it
    /// does not listen.
    package func hold(token: String, _ isOn: Bool) {
        guard let (index, place) = places.first(where: { $0.value.token == token }) else { return }
        places[index]?.owners = max(0, place.owners + (isOn ? 1 : -1))
        noteLeaving(index)
    }

    /// Whether the client of a listener is connected, even if it does not listen.
    func isHeld(_ index: Int) -> Bool { places[index].map { $0.owners > 0 } ?? false }

    /// Begins or ends the time for which a listener is kept without clients.
    private func noteLeaving(_ index: Int) {
        guard let place = places[index] else { return }
        let isLeft = place.all == 0 && place.owners == 0 && !stays(index)
        places[index]?.left = isLeft ? place.left ?? rt_now() : nil
    }

    /// Renders the listeners whose sound is kept for takes, even if no client listens.
    /// - Parameter indices: among all listeners.
    func record(_ indices: Set<Int>) {
        for (index, place) in places where place.isRecorded != indices.contains(index) {
            places[index]?.isRecorded.toggle()
            render(index)
        }
    }

    /// Clients of a listener, and seconds until it is removed; nil when it stays.
    func connection(_ index: Int, now: UInt64) -> (clients: Int, seconds: Double?) {
        guard let place = places[index] else { return (0, nil) }
        return (place.all, place.left.map { max(0, (10 * (keep - Self.seconds(from: $0, to: now))).rounded() / 10) })
    }

    /// Seconds for which a listener is kept without clients.
    private var keep: Double { Double(hub.value(index(.keep)).numbers[0]) }

    private static func seconds(from begin: UInt64, to end: UInt64) -> Double { end > begin ? Double(end - begin) / 1e9 : 0 }

    /// Whether a listener stays without clients, because it was added by a command or has a name.
    private func stays(_ index: Int) -> Bool {
        places[index]?.stays == true || hub.value(hub.tree.index(ListenerParameter.name, index)).text?.isEmpty == false
    }

    /// Whether sessions keep a listener: one of the device, or one with a name.
    func isKept(_ index: Int) -> Bool {
        index < wired || hub.value(hub.tree.index(ListenerParameter.name, index)).text?.isEmpty == false
    }

    /// Removes listeners whose time is over, and publishes counts; about thirty times a second.
    func tick(now: UInt64) {
        for (index, place) in places where place.left.map({ Self.seconds(from: $0, to: now) >= keep }) ?? false {
            if stays(index) { places[index]?.left = nil } else { disappear(index) }
        }
        publishLoad(now)
        for line in lines { line.collect() }
    }

    // MARK: Listeners

    @discardableResult
    private func appear(stays: Bool) throws -> Int {
        guard let free = (wired..<limit).first(where: { places[$0] == nil }) else { throw tooMany }
        try appear(at: free, stays: stays)
        return free
    }

    private func appear(at index: Int, stays: Bool) throws {
        while wired + made <= index { makeNext() }
        places[index] = Place(token: Secret.random(), stays: stays)
        hub.setPresence(ofListener: index, true)
        hub.asSeparateEdit { onAppear(index) }
        publishCount()
    }

    private func makeNext() {
        let next = wired + made
        let line = lines[network.worker(of: next)]
        onMake(next, line.make(next, network))
        made += 1
    }

    private func disappear(_ index: Int) {
        setRendered(index, false)
        hub.asSeparateEdit {
            onLeave(index)
            onRemove(index)
        }
        hub.setPresence(ofListener: index, false)
        places[index] = nil
        publishCount()
    }

    /// Whether a listener, counted from 0, is rendered.
    func isRendered(_ index: Int) -> Bool { rendered.contains(index) }

    /// Renders a listener as long as it is heard or recorded: all others cost nothing.
    private func render(_ index: Int) {
        guard let place = places[index] else { return }
        setRendered(index, place.clients > 0 || place.isRecorded)
    }

    /// Begins or ends the rendering of a listener.
    private func setRendered(_ index: Int, _ isOn: Bool) {
        guard rendered.contains(index) != isOn else { return }
        if isOn { rendered.insert(index) } else { rendered.remove(index) }
        let presence = present.makeSwitch(index)
        presence.control.set(isOn)
        lines[network.worker(of: index)].set(index, isOn)
    }

    private func publishCount() { hub.publish(index(.count), .number(Float(wired + places.count))) }

    private var tooMany: RequestError {
        RequestError(
            "there are \(wired + places.count) listeners, the maximum of this server; remove one, or start with a larger "
                + "--network-listeners")
    }

    private var presentText: String {
        let numbers = numbers.prefix(20).map(String.init)
        return numbers.isEmpty ? "there are no network listeners" : "network listeners: \(numbers.joined(separator: ", "))"
    }

    // MARK: Load

    /// Publishes lost blocks and the load, twice a second.
    private func publishLoad(_ now: UInt64) {
        guard now &- known.time > 500_000_000 else { return }
        let busy = network.workers.map(\.busy)
        let seconds = known.time == 0 ? 0 : Double(now &- known.time) / 1e9
        if known.busy.count == busy.count, seconds > 0 {
            let most = zip(busy, known.busy).map { Double($0 - $1) / 1e9 / seconds }.max() ?? 0
            hub.publish(index(.load), .number(isBlinded ? 0 : Float((most * 1000).rounded() / 1000)))
        }
        let lost = network.workers.reduce(0) { $0 + $1.lost }
        if lost > known.lost {
            let count = lost - known.lost
            hub.notice(
                "network listeners have lost \(count) block\(count == 1 ? "" : "s"): rendering them takes longer than real time. "
                    + "Choose a cheaper method, or fewer listeners.")
        }
        hub.publish(index(.lost), .number(Float(lost)))
        known = (lost, now, busy)
    }
}
