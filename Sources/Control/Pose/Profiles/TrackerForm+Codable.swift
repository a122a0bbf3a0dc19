internal import Parameters

extension TrackerForm: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case addresses, layout, unit, negated, order, axes, meaning, datagram, offset, scale
        case placeScale = "place-scale"
    }

    /// Missing fields have their default values.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseOthers(than: Key.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: Key.self)
        let addresses = try values.decodeIfPresent([String].self, forKey: .addresses) ?? []
        let layout = try values.decode([Field].self, forKey: .layout)
        let axes = try values.decodeIfPresent([SignedAxis].self, forKey: .axes) ?? [.x, .y, .z]
        let datagram = try values.decodeIfPresent(Datagram.self, forKey: .datagram)
        func fail(_ key: Key, _ reason: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
        }
        let fields = Set(layout)
        let kinds: [Bool] = [
            fields.isSuperset(of: Field.quaternion), fields.isSuperset(of: Field.gravity),
            !fields.isDisjoint(with: [.yaw, .pitch, .roll]),
        ]
        let isWhole = [Field.quaternion, Field.gravity].allSatisfy { fields.isDisjoint(with: $0) || fields.isSuperset(of: $0) }
        guard kinds.count(where: \.self) == 1, isWhole else {
            throw fail(
                .layout,
                "the layout must contain either w, x, y and z, or gravity-x, gravity-y and gravity-z, or at least one "
                    + "of yaw, pitch and roll"
            )
        }
        let used = layout.filter { $0 != .number && $0 != .text }
        guard Set(used).count == used.count else { throw fail(.layout, "a field occurs twice") }
        guard datagram != nil ? addresses.isEmpty : addresses.count == 1 || addresses.count == layout.count else {
            throw fail(.addresses, "specify one address for the whole layout, one for each field, or none for a datagram")
        }
        let count = datagram?.count ?? layout.count
        guard layout.count == count else { throw fail(.layout, "this datagram format has \(counted(count, "number"))") }
        guard !fields.contains(.text) || datagram == nil else { throw fail(.layout, "a datagram cannot contain text") }
        let offset = try values.decodeIfPresent(Int.self, forKey: .offset) ?? 0
        let scale = try values.decodeIfPresent(Double.self, forKey: .scale) ?? 1
        guard (0...65_535).contains(offset) else { throw fail(.offset, "the offset must be 0 to 65535 bytes") }
        guard scale.isFinite, scale != 0 else { throw fail(.scale, "the scale must be a finite number other than 0") }
        let placeScale = try values.decodeIfPresent(Double.self, forKey: .placeScale) ?? 1
        guard placeScale.isFinite, placeScale != 0 else { throw fail(.placeScale, "the scale must be a finite number other than 0") }
        guard Set(axes.map(\.index)).count == 3, axes.count == 3 else {
            throw fail(.axes, "specify three axes, with each of x, y and z once")
        }
        self.init(
            addresses, layout, unit: try values.decodeIfPresent(Unit.self, forKey: .unit) ?? .degrees,
            negated: try values.decodeIfPresent(Set<Field>.self, forKey: .negated) ?? [],
            order: try values.decodeIfPresent(EulerOrder.self, forKey: .order) ?? .yawPitchRoll, axes: axes,
            meaning: try values.decodeIfPresent(Meaning.self, forKey: .meaning) ?? .head, datagram: datagram, offset: offset,
            scale: scale, placeScale: placeScale)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(addresses, forKey: .addresses)
        try values.encode(layout, forKey: .layout)
        try values.encode(unit, forKey: .unit)
        try values.encode(negated.sorted { $0.rawValue < $1.rawValue }, forKey: .negated)
        try values.encode(order, forKey: .order)
        try values.encode(axes, forKey: .axes)
        try values.encode(meaning, forKey: .meaning)
        try values.encodeIfPresent(datagram, forKey: .datagram)
        if offset != 0 { try values.encode(offset, forKey: .offset) }
        if scale != 1 { try values.encode(scale, forKey: .scale) }
        if placeScale != 1 { try values.encode(placeScale, forKey: .placeScale) }
    }
}

/// Any key of a JSON object.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Refuses an object with an unknown key, because a misspelt one would silently have no effect.
    func refuseOthers(than known: [String]) throws {
        let values = try container(keyedBy: AnyKey.self)
        for key in values.allKeys where !known.contains(key.stringValue) {
            let nearest = NearestName.find(key.stringValue, among: known)
            throw DecodingError.dataCorruptedError(
                forKey: key, in: values,
                debugDescription: "unknown field" + (nearest.map { " (did you mean \($0)?)" } ?? "")
                    + "; the fields are \(known.joined(separator: ", "))")
        }
    }
}
