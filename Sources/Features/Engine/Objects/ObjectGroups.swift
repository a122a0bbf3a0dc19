import Foundation
import Hub
import Parameters

/// Groups of sound objects: moves and turns their members around their mean; the renderer applies level and mute.
///
/// Used on the control thread only.
final class ObjectGroups {
    private let hub: Hub
    private let places: ObjectPlaces

    init(_ hub: Hub, places: ObjectPlaces) {
        self.hub = hub
        self.places = places
    }

    func connect() {
        guard hub.tree.objects > 0 else { return }
        for group in 0..<ObjectGroupParameter.count {
            hub.onSet(hub.tree.index(ObjectGroupParameter.xyz, group)) { [unowned self] value, context in
                let members = try members(group)
                let centre = centre(members)
                for object in members {
                    places.move(object, to: zip(places.place(object), zip(value.numbers, centre)).map { $0 + $1.0 - $1.1 })
                }
                context.store(instead: .init(numbers: self.centre(members)))
            }
            hub.onSet(hub.tree.index(ObjectGroupParameter.yaw, group)) { [unowned self] value, context in
                // The positions in a session already include the turn that it restores.
                guard !context.isRestored else { return }
                let before = hub.value(hub.tree.index(ObjectGroupParameter.yaw, group)).numbers[0]
                turn(try members(group), by: value.numbers[0] - before)
            }
        }
    }

    private func objects(_ group: Int) -> [Int] {
        hub.tree.isObjectPresent.indices.filter {
            hub.tree.isObjectPresent[$0] && hub.value(hub.tree.index(ObjectParameter.group, $0)) == .number(Float(group + 1))
        }
    }

    private func members(_ group: Int) throws(RequestError) -> [Int] {
        let members = objects(group)
        guard members.isEmpty else { return members }
        throw RequestError("group \(group + 1) has no objects; set \(ObjectParameter.group.address(0)) to \(group + 1) first, for object 1")
    }

    /// Mean of places, metres; zeros without any.
    private func centre(_ members: [Int]) -> [Float] {
        guard !members.isEmpty else { return [0, 0, 0] }
        let sum = members.map(places.place).reduce([Float](repeating: 0, count: 3)) { zip($0, $1).map { $0 + $1 } }
        return sum.map { ($0 / Float(members.count) * 1e5).rounded() / 1e5 }
    }

    /// - Parameter degrees: to the left.
    private func turn(_ members: [Int], by degrees: Float) {
        let centre = centre(members)
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        for object in members {
            let place = places.place(object)
            let (x, y) = (place[0] - centre[0], place[1] - centre[1])
            places.move(object, to: [centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine, place[2]])
            let yaw = hub.tree.index(ObjectParameter.yaw, object)
            hub.publish(yaw, .number(ObjectParameter.yaw.spec.turned(hub.value(yaw).numbers[0] + degrees)))
        }
    }

    /// Publishes places and numbers of members, about thirty times a second.
    func publish() {
        guard hub.tree.objects > 0 else { return }
        var members = [[Int]](repeating: [], count: ObjectGroupParameter.count)
        for object in hub.tree.isObjectPresent.indices where hub.tree.isObjectPresent[object] {
            let group = Int(clamping: hub.value(hub.tree.index(ObjectParameter.group, object)).numbers[0])
            if group > 0 { members[group - 1].append(object) }
        }
        for group in members.indices {
            hub.publish(hub.tree.index(ObjectGroupParameter.members, group), .number(Float(members[group].count)))
            hub.publish(hub.tree.index(ObjectGroupParameter.xyz, group), .init(numbers: centre(members[group])))
        }
    }
}
