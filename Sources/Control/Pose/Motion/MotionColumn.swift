/// A column of a motion file, recognised by its name and unit in the header.
///
/// Names may be in any case, with or without a unit: `time`, `Time (ms)`, `yaw`, `pitch_rad`, `roll [deg]`, `w`, `qx`, `px (cm)`. Without a
/// unit times are seconds, angles degrees and lengths metres.
struct MotionColumn: Equatable {
    enum Quantity: String, CaseIterable {
        case time, yaw, pitch, roll, w, x, y, z
        case front, left, up

        var isQuaternion: Bool { self == .w || self == .x || self == .y || self == .z }
        var isAngle: Bool { self == .yaw || self == .pitch || self == .roll }
        var isLength: Bool { self == .front || self == .left || self == .up }

        /// The quantity of a column x, y or z beside angles: a coordinate of the head's place.
        var besideAngles: Self {
            switch self {
            case .x: .front
            case .y: .left
            case .z: .up
            default: self
            }
        }
    }

    var quantity: Quantity
    /// Factor to seconds, degrees or metres.
    let scale: Double

    private static let names: [String: Quantity] = [
        "t": .time, "timestamp": .time, "seconds": .time, "qw": .w, "qx": .x, "qy": .y, "qz": .z, "px": .front, "py": .left,
        "pz": .up,
    ]

    /// Returns nil for a column that is not part of a motion.
    init?(header: String) {
        let words = header.lowercased().split { !$0.isLetter && $0 != "°" }.map(String.init)
        guard let name = words.first, let quantity = Quantity(rawValue: name) ?? Self.names[name], words.count <= 2 else { return nil }
        self.quantity = quantity
        switch (quantity, words.dropFirst().first) {
        case (_, nil): scale = 1
        case (.time, "s"), (.time, "sec"), (.time, "seconds"): scale = 1
        case (.time, "ms"), (.time, "milliseconds"): scale = 0.001
        case (.yaw, "deg"), (.pitch, "deg"), (.roll, "deg"), (.yaw, "degrees"), (.pitch, "degrees"), (.roll, "degrees"),
            (.yaw, "°"), (.pitch, "°"), (.roll, "°"):
            scale = 1
        case (.yaw, "rad"), (.pitch, "rad"), (.roll, "rad"), (.yaw, "radians"), (.pitch, "radians"), (.roll, "radians"):
            scale = 180 / .pi
        case (_, "m") where quantity.besideAngles.isLength: scale = 1
        case (_, "cm") where quantity.besideAngles.isLength: scale = 0.01
        case (_, "mm") where quantity.besideAngles.isLength: scale = 0.001
        default: return nil
        }
    }
}
