import Foundation
import Hub
import Parameters

/// Places of sound objects as x, y and z: another form of azimuth, elevation and distance, which are what sessions keep.
///
/// Used on the control thread only.
final class ObjectPlaces {
    private let hub: Hub
    /// For each object, the azimuth, elevation and distance to which its published x, y and z correspond.
    private var known: [SIMD3<Float>]

    init(_ hub: Hub) {
        self.hub = hub
        known = .init(repeating: SIMD3(0, 0, 1), count: hub.tree.objects)
    }

    func connect(_ object: Int) {
        hub.onSet(hub.tree.index(ObjectParameter.xyz, object)) { [unowned self] value, context in
            move(object, to: value.numbers)
            known[object] = coordinates(object)
            context.store(instead: .init(numbers: place(object)))
        }
    }

    /// Sets azimuth, elevation and distance; at the centre the direction is kept.
    func move(_ object: Int, to place: [Float]) {
        let (x, y, z) = (Double(place[0]), Double(place[1]), Double(place[2]))
        let flat = (x * x + y * y).squareRoot()
        let distance = (flat * flat + z * z).squareRoot()
        let range = ObjectParameter.distance.spec.range
        if flat > 1e-6 { publish(.azimuth, object, Float(atan2(y, x) * 180 / .pi)) }
        if distance > 1e-6 { publish(.elevation, object, Float(atan2(z, flat) * 180 / .pi)) }
        publish(.distance, object, min(max(Float(distance), range.lowerBound), range.upperBound))
    }

    /// Publishes the places of objects that have moved by azimuth, elevation or distance, about thirty times a second.
    func publish() {
        for object in known.indices where hub.tree.isObjectPresent[object] && coordinates(object) != known[object] {
            known[object] = coordinates(object)
            hub.publish(hub.tree.index(ObjectParameter.xyz, object), .init(numbers: place(object)))
        }
    }

    /// Its x, y and z, metres.
    func place(_ object: Int) -> [Float] {
        let at = coordinates(object)
        let (azimuth, elevation, distance) = (Double(at[0]) * .pi / 180, Double(at[1]) * .pi / 180, Double(at[2]))
        let flat = distance * cos(elevation)
        return [flat * cos(azimuth), flat * sin(azimuth), distance * sin(elevation)].map { Float(($0 * 1e5).rounded() / 1e5) }
    }

    private func coordinates(_ object: Int) -> SIMD3<Float> {
        func number(_ parameter: ObjectParameter) -> Float { hub.value(hub.tree.index(parameter, object)).numbers[0] }
        return SIMD3(number(.azimuth), number(.elevation), number(.distance))
    }

    private func publish(_ parameter: ObjectParameter, _ object: Int, _ value: Float) {
        hub.publish(hub.tree.index(parameter, object), .number(value))
    }
}
