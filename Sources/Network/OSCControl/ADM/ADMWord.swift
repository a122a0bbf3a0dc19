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
