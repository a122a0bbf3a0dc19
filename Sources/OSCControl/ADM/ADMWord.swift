/// What ADM-OSC v1.0 calls what an object has, as far as this engine has it: the last part of `/adm/obj/N/…`.
///
/// Its `w` (extent) and `dRef` (from where on the level falls) have no counterpart.
enum ADMWord: String, CaseIterable {
    case azim, elev, dist, aed, x, y, z, xy, xyz, gain, mute, name
    /// One for all objects here. The specification writes `dMax`, its schema `dmax`.
    case dMax, dmax

    /// How many arguments it has.
    var count: Int {
        switch self {
        case .aed, .xyz: 3
        case .xy: 2
        default: 1
        }
    }

    /// Which of x, y and z its numbers are, in order; empty for what is not Cartesian.
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

    /// Whether it is among those that tell everything of an object, each thing once.
    var isTold: Bool { self == .aed || self == .gain || self == .mute || self == .name }
}
