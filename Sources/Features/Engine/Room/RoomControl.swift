import Binaural
import Crossing
import Device
import Hub
import Media
import Parameters
import RenderCore

/// Follows the parameters of the room: has a room computed for them, and hands it to the renderer.
///
/// While a room is computed, further changes wait for it; a long computation is abandoned for the newest one, so that dragged walls are
/// heard while they move. Used on the control thread only.
final class RoomControl {
    private let hub: Hub
    private let files: MessageFiles
    private let worker: RoomWorker?
    private var rooms: Handover<RoomScene>.Control
    private let format: DeviceFormat
    /// Values of the parameters at the last check.
    private var seen: [ParameterValue] = []
    /// Number of objects that rooms are made for.
    private var objects: ObjectCapacity
    /// The room that is to be heard; nil for a free field.
    private var wanted: RoomRequest?
    /// The room that was handed over last; the inner nil for a free field, the outer one when the renderer did not take it.
    private var current: RoomRequest?? = .some(nil)
    private var computed: RoomRequest?
    /// Ticks since the current computation began; ticks until the next one may begin.
    private var age = 0
    private var pause = 0
    /// Own materials, and the text that they were read from.
    private var own: (text: String, materials: [RoomMaterial]) = ("", [])

    /// Ticks for which a computation continues although its room is no longer wanted: a sixth of a second.
    private static let patience = 5
    /// Ticks before a room that failed, or that the renderer did not take, is computed again: a second.
    private static let retry = 30

    /// - Parameter format: of the renderer.
    init(hub: Hub, rooms: consuming Handover<RoomScene>.Control, format: DeviceFormat, files: MessageFiles) {
        self.hub = hub
        self.files = files
        self.rooms = rooms
        self.format = format
        objects = ObjectCapacity(hub.tree)
        worker =
            hub.tree.objects > 0
            ? RoomWorker(listeners: hub.tree.wired, rate: Float(format.rate), period: format.period) : nil
    }

    // MARK: Parameters

    func connect() {
        guard worker != nil else { return }
        for parameter in [RoomParameter.size, .place, .turn, .order] {
            hub.onSet(index(parameter)) { [unowned self] _, message in try checkLock(message) }
        }
        for wall in RoomWall.allCases {
            hub.onSet(hub.tree.index(wall)) { [unowned self] value, message in
                try checkLock(message)
                if !message.isRestored { _ = try material(value.text ?? "") }
            }
        }
        hub.onSet(index(.own)) { [unowned self] value, message in
            try checkLock(message)
            let text = value.text ?? ""
            own = (text, try RoomFile.materials(json: text))
            publishMaterials()
        }
        hub.onNeed(index(.load)) { [unowned self] value, _ in try files.read([.room(path(value.text ?? ""))]) }
        hub.onSet(index(.load)) { [unowned self] value, message in
            try checkLock(message)
            try load(try files.room(path(value.text ?? "")))
        }
        publishMaterials()
    }

    private func index(_ parameter: RoomParameter) -> Int { hub.tree.index(parameter) }

    private func path(_ name: String) throws -> String { try files.clients.path(name, .rooms, ending: ".json") }

    private func checkLock(_ message: MessageContext) throws(RequestError) {
        guard !message.isRestored, hub.value(index(.lock)).numbers[0] != 0 else { return }
        throw RequestError("\(message.address) is refused: the room is locked; set \(RoomParameter.lock.address()) to 0 to change it")
    }

    private func material(_ name: String) throws(RequestError) -> RoomMaterial {
        if let found = own.materials.first(where: { $0.name == name }) ?? RoomMaterial.named(name) { return found }
        throw RequestError("there is no material \"\(name)\"; \(RoomParameter.materials.address()) lists all materials")
    }

    private func publishMaterials() {
        let lines = (own.materials + RoomMaterial.all).map { [$0.name, $0.colour, $0.title].joined(separator: "\t") }
        hub.publish(index(.materials), .text(lines.joined(separator: "\n")))
    }

    /// Sets the parameters to the room of a file.
    /// - Throws: `RequestError` when its own materials are too many for a session.
    func load(_ file: RoomFile) throws {
        guard worker != nil else { return }
        let room = file.room
        let definitions = RoomMaterial.definitions(file.own)
        guard definitions.utf8.count <= RoomParameter.longestDefinitions else {
            throw RequestError(
                "the room's own materials take \(definitions.utf8.count) bytes, and a session keeps \(RoomParameter.longestDefinitions); "
                    + "remove those that no wall uses")
        }
        own = (definitions, file.own)
        publishMaterials()
        hub.publish(index(.own), .text(own.text))
        hub.publish(index(.size), .init(numbers: (0..<3).map { room.size[$0] }))
        hub.publish(index(.place), .init(numbers: (0..<3).map { room.place[$0] }))
        hub.publish(index(.turn), .number(room.turn))
        hub.publish(index(.order), .number(Float(file.order)))
        for wall in RoomWall.allCases { hub.publish(hub.tree.index(wall), .text(room.walls[wall.rawValue].name)) }
        hub.publish(hub.tree.index(AirParameter.temperature), .number(room.air.temperature))
        hub.publish(hub.tree.index(AirParameter.humidity), .number(room.air.humidity))
        hub.publish(index(.on), .number(1))
    }

    // MARK: Rooms

    /// Takes rooms that have been computed, and begins with the next; called about thirty times a second.
    func settle() {
        guard let worker else { return }
        rooms.collect()
        follow()
        for report in worker.take() where report.request == computed { take(report.outcome, report.request) }
        age += 1
        pause = max(0, pause - 1)
        advance(worker)
    }

    /// Checks for changes of the parameters.
    private func follow() {
        let parameters = [RoomParameter.on, .size, .place, .turn, .order, .own].map(index)
        let air = AirParameter.allCases.map { hub.tree.index($0) }
        let values = (parameters + air + RoomWall.allCases.map { hub.tree.index($0) }).map(hub.value)
        let before = objects
        objects.follow(hub.tree)
        guard values != seen || objects != before else { return }
        seen = values
        guard number(.on)[0] != 0 else {
            wanted = nil
            return publish(.empty)
        }
        do throws(RequestError) {
            wanted = try request()
            if current == .some(wanted) { publishReady() }
        } catch {
            hub.notice("the room is not changed: \(error)")
            publish(.failed("\(error)"))
        }
    }

    private func number(_ parameter: RoomParameter) -> [Float] { hub.value(index(parameter)).numbers }

    /// The room of the parameters.
    private func request() throws(RequestError) -> RoomRequest {
        let text = hub.value(index(.own)).text ?? ""
        if text != own.text {
            do throws(RoomError) { own = (text, try RoomFile.materials(json: text)) } catch { throw RequestError(error.description) }
            publishMaterials()
        }
        let (size, place) = (number(.size), number(.place))
        func air(_ parameter: AirParameter) -> Float { hub.value(hub.tree.index(parameter)).numbers[0] }
        var walls: [RoomMaterial] = []
        for wall in RoomWall.allCases { walls.append(try material(hub.value(hub.tree.index(wall)).text ?? "")) }
        let room = Shoebox(
            size: SIMD3(size[0], size[1], size[2]), place: SIMD3(place[0], place[1], place[2]), turn: number(.turn)[0], walls: walls,
            air: AirAbsorption(temperature: air(.temperature), humidity: air(.humidity)))
        if let fault = RoomLimits.fault(room) { throw RequestError("\(fault.field) \(fault.reason)") }
        return RoomRequest(room: room, order: Int(clamping: number(.order)[0]), objects: objects.count)
    }

    private func advance(_ worker: RoomWorker) {
        guard current != .some(wanted), pause == 0 else { return }
        guard let wanted else {
            worker.request(nil, for: 0)
            computed = nil
            return send(RoomScene(nil, objects: 0, rate: Float(format.rate), period: format.period), nil)
        }
        guard wanted != computed, computed == nil || age > Self.patience else { return }
        worker.request(wanted, for: 0)
        (computed, age) = (wanted, 0)
        publish(.loading("walls and late field"))
    }

    private func take(_ outcome: RoomWorker.Outcome, _ request: RoomRequest) {
        switch outcome {
        case .progress: break
        case .done(let room):
            computed = nil
            send(room.take(), request)
            if wanted == request { publishReady() }
        case .refused(let reason):
            computed = nil
            pause = Self.retry
            publish(.failed("\(reason)"))
        }
    }

    /// Hands a room over; if the renderer cannot take it, it is computed again later.
    private func send(_ room: consuming RoomScene, _ request: RoomRequest?) {
        if rooms.send(room) {
            current = .some(request)
        } else {
            current = nil
            pause = Self.retry
        }
    }

    private func publishReady() {
        guard let wanted else { return }
        let seconds = (wanted.room.reverberationTimes[3] * 100).rounded() / 100
        publish(.ready("\(seconds) s reverberation at 1 kHz"))
    }

    private func publish(_ state: LoadState) { hub.publish(index(.state), .text("\(state)")) }

    /// Whether the renderer has the room that is to be heard.
    var isSettled: Bool { worker == nil || (current == .some(wanted) && computed == nil) }

    func stop() { worker?.stop() }
}

/// Computes rooms in the background, one after the other; a newer request replaces an older one.
typealias RoomWorker = BackgroundWorker<Int, RoomRequest, Parcel<RoomScene>>

extension BackgroundWorker where Key == Int, Request == RoomRequest, Product == Parcel<RoomScene> {
    /// - Parameters:
    ///   - listeners: number of listeners of the device, each of which hears the reflections at its own place.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    convenience init(listeners: Int, rate: Float, period: Int) {
        self.init(name: "rooms") { request, progress throws(MediaError) in
            guard let plan = RoomPlan(request.room, order: request.order, rate: rate, isWanted: { progress(0) }) else { return nil }
            return Parcel(RoomScene(plan, objects: request.objects, listeners: listeners, rate: rate, period: period))
        }
    }
}

/// A request to compute a room.
struct RoomRequest: Equatable, Sendable {
    let room: Shoebox
    /// Order of the image sources.
    let order: Int
    /// Number of objects that it is made for.
    let objects: Int
}
