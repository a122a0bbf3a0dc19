import Binaural
import CRealtime
import Crossing
import Hub
import Media
import Parameters
import Render

/// The HRTF filters of all listeners: those of the method `hrtf`, and those for sound objects.
final class HRTFLoaders {
    private let hub: Hub
    private let playback: Playback
    private let rate: Double
    private let files: MessageFiles
    private let worker = HRTFWorker(cache: .standard)
    /// By listener.
    private var loaders: [HRTFLoader]
    private let tables = HRTFTableWorker()
    /// Filters for sound objects, by listener.
    private var objects: [ObjectHRTFLoader]
    /// Number of ticks in which each listener's unused filters are freed once, even if no new filters wait for delivery.
    private static let turns = 32
    private var ticks = 0
    /// Longest time in nanoseconds that one tick spends on filters for added objects; the others follow in the next tick.
    private static let turn: UInt64 = 3_000_000

    /// - Parameter rate: of the engine, frames per second.
    init(hub: Hub, playback: Playback, lines: RenderConnections, rate: Double, files: MessageFiles) {
        self.hub = hub
        self.playback = playback
        self.rate = rate
        self.files = files
        let (worker, tables) = (worker, tables)
        objects = lines.listeners.enumerated().map { index, line in
            ObjectHRTFLoader(hub: hub, listener: index, worker: tables, rate: rate, line: line)
        }
        loaders = lines.listeners.enumerated().map { index, lines in
            HRTFLoader(hub: hub, listener: index, worker: worker, sets: lines.hrtf.take())
        }
    }

    /// Connects the method, the SOFA file, the head radius and the equalisation of each listener.
    func connect() {
        for listener in loaders.indices { connect(listener) }
    }

    /// Makes and connects the loaders of a new listener.
    func add(_ listener: Int, _ line: RenderConnections.Listener) {
        loaders.append(HRTFLoader(hub: hub, listener: listener, worker: worker, sets: line.hrtf.take()))
        objects.append(ObjectHRTFLoader(hub: hub, listener: listener, worker: tables, rate: rate, line: line))
        connect(listener)
    }

    private func connect(_ listener: Int) {
        let loader = loaders[listener]
        hub.onSet(hub.tree.index(ListenerParameter.method, listener)) { [unowned self, unowned loader] value, _ in
            followObjects(listener, method: value.numbers.first)
            guard loader.isCompared || value == .number(Float(InterpolationMethod.hrtf.rawValue)) else { return loader.cancel() }
            loader.follow(layout, rate: rate)
        }
        hub.onNeed(hub.tree.index(ListenerParameter.hrtf, listener)) { [unowned self, unowned loader] value, _ in
            let path = try self.path(value)
            return try files.read(loader.isChosen || !path.isEmpty ? [.head(path)] : [])
        }
        hub.onSet(hub.tree.index(ListenerParameter.hrtf, listener)) { [unowned self, unowned loader] value, message in
            let path = try self.path(value)
            message.store(instead: .text(path))
            if loader.isChosen || !path.isEmpty { try files.check(.head(path)) }
            followObjects(listener, path: path)
            if loader.isChosen { loader.follow(layout, rate: rate, path: path) }
        }
        hub.onSet(hub.tree.index(ListenerParameter.headRadius, listener)) { [unowned self, unowned loader] value, _ in
            let radius = value.numbers[0]
            try HRTFRequest.check(headRadius: radius)
            followObjects(listener, headRadius: radius)
            if loader.isChosen { loader.follow(layout, rate: rate, headRadius: radius) }
        }
        hub.onSet(hub.tree.index(ListenerParameter.hrtfEqualisation, listener)) {
            [unowned self, unowned loader] value, _ in
            followObjects(listener, equalisation: value.numbers[0])
            if loader.isChosen { loader.follow(layout, rate: rate, equalisation: value.numbers[0]) }
        }
    }

    /// Requests filters for a listener's sound objects if it uses an HRTF: a SOFA file, or the method `hrtf`.
    ///
    /// - Parameters: values that are just being set; nil for the stored ones.
    private func followObjects(
        _ listener: Int, method: Float? = nil, path: String? = nil, headRadius: Float? = nil, equalisation: Float? = nil
    ) {
        func value(_ parameter: ListenerParameter) -> ParameterValue { hub.value(hub.tree.index(parameter, listener)) }
        let isNamed = path != nil
        let path = path ?? value(.hrtf).text ?? ""
        let method = method ?? value(.method).numbers[0]
        let isHRTFMethod = method == Float(InterpolationMethod.hrtf.rawValue)
        var request: HRTFTableRequest?
        if !path.isEmpty || isHRTFMethod {
            request = HRTFTableRequest(
                path: path, headRadius: headRadius ?? value(.headRadius).numbers[0],
                equalisation: HRTFLoader.equalisation(equalisation ?? value(.hrtfEqualisation).numbers[0]), rate: rate)
        }
        let isOther = objects[listener].follow(request)
        guard !isHRTFMethod, !loaders[listener].isCompared, isNamed || isOther && request != nil else { return }
        loaders[listener].show(request, isPresent: request == objects[listener].current)
    }

    /// Path of the SOFA file that a client names; empty for that of libmysofa.
    private func path(_ value: ParameterValue) throws -> String {
        let name = value.text ?? ""
        return name.isEmpty ? "" : try files.clients.path(name, .hrtf)
    }

    /// The array that filters are made for; nil while there is no recording.
    private var layout: HRTFLayout? { playback.array.map { HRTFLayout($0, calibration: playback.plan.calibration) } }

    /// Requests filters for the current array after it has changed.
    func followArray() { for loader in loaders where loader.isChosen { loader.follow(layout, rate: rate) } }

    /// Requests filters for a listening test, whatever the listener's method; with false, the test no longer needs them.
    func compare(_ isCompared: Bool, listener: Int) {
        loaders[listener].isCompared = isCompared
        if loaders[listener].isChosen { loaders[listener].follow(layout, rate: rate) } else { loaders[listener].cancel() }
    }

    /// Whether the listener has the filters that were requested for it.
    func isReady(listener: Int) -> Bool { loaders[listener].isReady }

    /// Takes filters that have been computed, about thirty times a second.
    func settle() {
        for report in worker.take() { loaders[report.key].take(report) }
        for report in tables.take() {
            let (loader, object) = (loaders[report.key], objects[report.key])
            if object.take(report), !loader.isChosen { loader.show(report, keeping: object.current) }
        }
        ticks &+= 1
        for listener in loaders.indices {
            let isDue = (ticks &+ listener) % Self.turns == 0
            if isDue || loaders[listener].isWaiting { loaders[listener].settle() }
            if isDue || objects[listener].isWaiting { objects[listener].settle() }
        }
        // Hundreds of listeners take a few ticks.
        let end = rt_now() &+ Self.turn
        for loader in objects where rt_now() < end { loader.followObjects() }
    }

    /// Whether no filters are being computed.
    var isSettled: Bool { loaders.allSatisfy(\.isSettled) && objects.allSatisfy(\.isSettled) }

    func stop() {
        worker.stop()
        tables.stop()
    }
}
