/// One ADM-OSC address and its meaning.
struct ADMTarget {
    enum Meaning: Equatable {
        /// A property of an object, counted from 0.
        case object(Int, ADMWord)
        /// `/adm/lis/xyz`: the place of the first listener.
        case listener
        /// `/adm/env/change`: recalls a scene by name.
        case change
    }

    let address: String
    let meaning: Meaning

    /// Returns all addresses for a number of objects.
    static func all(objects: Int) -> [ADMTarget] {
        (0..<objects).flatMap { object in
            ADMWord.allCases.map { ADMTarget(address: "\(place)/\(object + 1)/\($0)", meaning: .object(object, $0)) }
        } + [ADMTarget(address: root + "/lis/xyz", meaning: .listener), ADMTarget(address: root + "/env/change", meaning: .change)]
    }

    /// Common prefix of all addresses.
    static let root = "/adm"
    private static let place = root + "/obj"
}

/// ADM-OSC v1.0 names of the supported object properties: the last part of `/adm/obj/N/…`.
///
/// `w` (extent) and `dRef` (distance at which attenuation begins) have no counterpart here.
enum ADMWord: String, CaseIterable {
    case azim, elev, dist, aed, x, y, z, xy, xyz, gain, mute, name
    /// Shared by all objects in this engine. The specification writes `dMax`, its schema `dmax`.
    case dMax, dmax

    /// Number of arguments.
    var count: Int {
        switch self {
        case .aed, .xyz: 3
        case .xy: 2
        default: 1
        }
    }

    /// The Cartesian coordinates that the arguments set, in order; empty for other properties.
    var axes: [WritableKeyPath<ADMPosition, Double>] {
        switch self {
        case .x: [\.x]
        case .y: [\.y]
        case .z: [\.z]
        case .xy: [\.x, \.y]
        case .xyz: [\.x, \.y, \.z]
        default: []
        }
    }

    /// Whether the property belongs to the minimal set that describes an object completely.
    var isReported: Bool { self == .aed || self == .gain || self == .mute || self == .name }
}
