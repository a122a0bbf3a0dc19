import Crossing
import Hub
import Parameters
import Render
import RenderCore

/// Paths of sound objects: hands them to the renderer, and publishes where the objects are while they move.
///
/// Used on the control thread only.
final class ObjectPaths {
    private let hub: Hub
    private let places: ObjectPlaces
    private var lines: Handover<ObjectTrajectory>.Control
    private let clock: CountRow
    private let rate: Double
    private var motions: [Int: ObjectMotion] = [:]
    /// The same paths as the renderer's, to publish places.
    private var followed: [Int: FollowedPath] = [:]
    /// Objects whose path the renderer had no room for.
    private var unsent: Set<Int> = []
    private var lap = 0.0
    /// Seconds after which a recording that loops begins again; 0 without one.
    var recording: () -> Double = { 0 }

    /// - Parameter rate: of the renderer, frames per second.
    init(hub: Hub, lines: RenderConnections, places: ObjectPlaces, rate: Int) {
        self.hub = hub
        self.places = places
        self.lines = lines.objectPaths.take()
        clock = lines.objectClock
        self.rate = Double(rate)
    }

    func connect() {
        for object in 0..<hub.tree.objects {
            hub.onSet(hub.tree.index(ObjectParameter.path, object)) { [unowned self] value, context in
                let text = value.text ?? ""
                let motion = try text.isEmpty ? nil : ObjectMotion(json: text, name: context.address)
                set(object, motion)
            }
        }
    }

    private func set(_ object: Int, _ motion: ObjectMotion?) {
        motions[object] = motion
        send(object)
    }

    private func send(_ object: Int) {
        let motion = motions[object]
        followed[object] = motion.map { FollowedPath(ObjectTrajectory(object: object, motion: $0, lap: lap)) }
        if lines.send(ObjectTrajectory(object: object, motion: motion, lap: lap)) { unsent.remove(object) } else { unsent.insert(object) }
    }

    /// Whether a path determines the place of an object.
    func moves(_ object: Int) -> Bool { motions[object] != nil }

    /// Publishes the places of the objects that move, about thirty times a second.
    func publish() {
        lines.collect()
        for object in unsent { send(object) }
        let now = recording()
        if now != lap {
            lap = now
            for object in motions.keys { send(object) }
        }
        let seconds = Double(clock[0]) / rate
        for (object, path) in followed where hub.tree.isObjectPresent[object] { places.move(object, to: path.place(at: seconds)) }
    }
}

/// A path of an object that the control thread computes in the same way as the renderer.
final class FollowedPath {
    private let trajectory: ObjectTrajectory

    init(_ trajectory: consuming ObjectTrajectory) { self.trajectory = trajectory }

    /// The place at a time of the transport, metres: front, left, up.
    func place(at seconds: Double) -> [Float] {
        let place = trajectory.place(at: seconds)
        return [place[0], place[1], place[2]]
    }
}
