/// A column of a motion file, recognised by its name and unit in the header.
///
/// Names are taken in any case, with or without a unit: `time`, `Time (ms)`, `yaw`, `pitch_rad`, `roll [deg]`, `w`, `qx`.
/// Without a unit times are seconds and angles degrees.
struct MotionColumn: Equatable {
    enum Quantity: String, CaseIterable {
        case time, yaw, pitch, roll, w, x, y, z

        var isQuaternion: Bool { self == .w || self == .x || self == .y || self == .z }
        var isAngle: Bool { self == .yaw || self == .pitch || self == .roll }
    }

    let quantity: Quantity
    /// Factor to seconds or degrees.
    let scale: Double

    private static let names: [String: Quantity] = [
        "t": .time, "timestamp": .time, "seconds": .time, "qw": .w, "qx": .x, "qy": .y, "qz": .z,
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
        default: return nil
        }
    }
}
