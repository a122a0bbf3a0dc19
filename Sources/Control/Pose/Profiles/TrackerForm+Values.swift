internal import Glibc

extension TrackerForm {
    /// Returns the head's orientation from one number per field.
    /// - Parameter map: the user's axis map for the tracker.
    /// - Returns: w x y z of length 1; nil when the numbers are not a rotation.
    func orientation(_ values: [Double], _ map: AxisMap = .identity) -> SIMD4<Double>? {
        func value(_ field: Field) -> Double? { layout.firstIndex(of: field).map { values[$0] } }
        let written: SIMD4<Double>
        if isQuaternion {
            let vector = [value(.x) ?? 0, value(.y) ?? 0, value(.z) ?? 0]
            let turned = axes.map { $0.sign * vector[$0.index] }
            guard let unit = Rotation.unit(SIMD4(value(.w) ?? 0, turned[0], turned[1], turned[2])) else { return nil }
            written = map.quaternion(unit)
        } else if isGravity {
            let vector = Field.gravity.map { value($0) ?? 0 }
            guard let tilt = Self.tilt(down: SIMD3(axes.map { $0.sign * vector[$0.index] })) else { return nil }
            let turned = map.angles(tilt)
            written = order.quaternion(SIMD3(0, turned.y, turned.z))
        } else {
            func angle(_ field: Field) -> Double {
                guard let value = value(field) else { return 0 }
                return (negated.contains(field) ? -1 : 1) * radians(value)
            }
            written = order.quaternion(map.angles(SIMD3(angle(.yaw), angle(.pitch), angle(.roll))))
            guard Rotation.unit(written) != nil else { return nil }
        }
        return meaning == .scene ? Rotation.inverse(written) : written
    }

    /// Returns the head's place from one number per field, metres to the front, to the left and up; nil for a form without one.
    func place(_ values: [Double]) -> SIMD3<Float>? {
        guard !Field.place.allSatisfy({ !layout.contains($0) }) else { return nil }
        let place = Field.place.map { field in
            layout.firstIndex(of: field).map { values[$0] * placeScale * (negated.contains(field) ? -1 : 1) } ?? 0
        }
        return SIMD3<Float>(SIMD3(place))
    }

    /// Inverse of ``orientation(_:_:)``: one number per field, 0 for fields without orientation.
    func values(_ head: SIMD4<Double>) -> [Double] {
        let written = meaning == .scene ? Rotation.inverse(head) : head
        var vector = [0.0, 0, 0]
        let down = Rotation.turn(SIMD3(0, 0, -1), by: Rotation.inverse(written))
        for (i, axis) in axes.enumerated() { vector[axis.index] = axis.sign * (isGravity ? down[i] : written[i + 1]) }
        let angles = order.angles(written)
        return layout.map { field in
            let sign: Double = negated.contains(field) ? -1 : 1
            return switch field {
            case .yaw: number(sign * angles.x)
            case .pitch: number(sign * angles.y)
            case .roll: number(sign * angles.z)
            case .w: written[0]
            case .x, .gravityX: vector[0]
            case .y, .gravityY: vector[1]
            case .z, .gravityZ: vector[2]
            case .number, .text, .front, .left, .up: 0
            }
        }
    }

    /// Returns a warning for a suspicious value of a field, which is used nevertheless.
    func doubt(_ value: Double, _ field: Field) -> TrackerProblem? {
        guard field == .yaw || field == .pitch || field == .roll else { return nil }
        return switch unit {
        case .degrees: nil
        case .radians: abs(value) > 2 * .pi + 0.01 ? .degreesForRadians(value) : nil
        case .normalised: (0...1).contains(value) ? nil : .outsideNormalised(value)
        }
    }

    /// Returns a warning for a suspicious quaternion, which is normalised and used nevertheless.
    func doubt(_ values: [Double]) -> TrackerProblem? {
        guard isQuaternion else { return nil }
        let length = zip(layout, values).reduce(0) { Field.quaternion.contains($1.0) ? $0 + $1.1 * $1.1 : $0 }.squareRoot()
        // A tenth is more than the rounding error of 8 bits and less than any other interpretation of four numbers.
        return abs(length - 1) < 0.1 ? nil : .length(length)
    }

    /// Returns yaw (0), pitch and roll in radians of a head with the given direction of gravity.
    /// - Parameter down: front, left, up, of any length.
    private static func tilt(down: SIMD3<Double>) -> SIMD3<Double>? {
        let length = (down * down).sum().squareRoot()
        guard length.isFinite, length > 1e-3 else { return nil }
        let unit = down / length
        let pitch = atan2(-unit.x, (unit.y * unit.y + unit.z * unit.z).squareRoot())
        return SIMD3(0, pitch, atan2(-unit.y, -unit.z))
    }

    private func radians(_ value: Double) -> Double {
        switch unit {
        case .degrees: value * .pi / 180
        case .radians: value
        case .normalised: (value - 0.5) * 2 * .pi
        }
    }

    private func number(_ radians: Double) -> Double {
        switch unit {
        case .degrees: radians * 180 / .pi
        case .radians: radians
        case .normalised: radians / (2 * .pi) + 0.5
        }
    }
}
