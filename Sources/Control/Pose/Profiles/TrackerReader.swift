public import Parameters

/// Converts the packets of one tracker to poses in Vestibule's axes, validating all input.
public struct TrackerReader: Sendable {
    public let profile: TrackerProfile
    /// The user's axis map for the tracker.
    public var map = AxisMap.identity
    /// The form that an address belongs to, and the field that it carries when it carries a single one.
    private struct Place {
        let form: Int
        let part: Int?
    }

    private let places: [String: [Place]]
    private let patterns: [(parts: [Substring], place: Place)]
    private var joiners: [AxisJoiner]

    public init(_ profile: TrackerProfile) {
        self.profile = profile
        var places: [String: [Place]] = [:]
        var patterns: [(parts: [Substring], place: Place)] = []
        for (index, form) in profile.forms.enumerated() {
            for (part, address) in form.addresses.enumerated() {
                let place = Place(form: index, part: form.isSplit ? part : nil)
                let address = Self.canonical(address)
                if address.contains("*") {
                    patterns.append((address.split(separator: "/"), place))
                } else {
                    places[address, default: []].append(place)
                }
            }
        }
        self.places = places
        self.patterns = patterns
        joiners = profile.forms.map { AxisJoiner(count: $0.layout.count, initial: $0.isQuaternion || $0.isGravity ? nil : 0) }
    }

    /// Returns an address in lower case with a leading slash.
    static func canonical(_ address: String) -> String {
        let small = address.lowercased()
        return small.hasPrefix("/") ? small : "/" + small
    }

    /// Returns whether the profile has this address.
    public func knows(_ address: String) -> Bool { !find(address).isEmpty }

    private func find(_ address: String) -> [Place] {
        let address = Self.canonical(address)
        if let found = places[address] { return found }
        guard !patterns.isEmpty else { return [] }
        let parts = address.split(separator: "/")
        return patterns.filter { pattern, _ in
            pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0 == "*" || $0 == $1 }
        }.map(\.place)
    }

    /// Reads one OSC message.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public mutating func read(address: String, arguments: [Argument], now: UInt64) -> TrackerReading {
        let found = find(address)
        guard let first = found.first else { return .foreign }
        // Several forms may share an address; the number of arguments distinguishes them.
        let place = found.first { ($0.part == nil ? profile.forms[$0.form].layout.count : 1) == arguments.count } ?? first
        let form = profile.forms[place.form]
        let fields = place.part.map { [form.layout[$0]] } ?? form.layout
        guard arguments.count == fields.count else {
            return .refused(.count(expected: fields.count, found: arguments.count))
        }
        var values: [Double] = []
        for (field, argument) in zip(fields, arguments) {
            if field == .text {
                values.append(0)
                continue
            }
            guard let number = Self.number(argument) else { return .refused(.notANumber) }
            values.append(number)
        }
        return read(values, fields, place, now: now)
    }

    /// Reads one datagram that is not OSC.
    public mutating func read(datagram bytes: UnsafeRawBufferPointer) -> TrackerReading {
        for (index, form) in profile.forms.enumerated() {
            guard let values = form.numbers(bytes) else { continue }
            return read(values, form.layout, Place(form: index, part: nil), now: 0)
        }
        return .refused(.datagram(length: bytes.count))
    }

    /// Reads an orientation that was not received as a packet: w x y z of any length, in Vestibule's axes.
    public func read(quaternion: SIMD4<Float>) -> TrackerReading {
        guard (0..<4).allSatisfy({ quaternion[$0].isFinite }) else { return .refused(.notFinite) }
        guard let raw = Rotation.unit(SIMD4<Double>(quaternion)) else { return .refused(.noRotation) }
        return TrackerReading(pose: SIMD4<Float>(map.quaternion(raw)), raw: SIMD4<Float>(raw))
    }

    private mutating func read(
        _ values: [Double], _ fields: [TrackerForm.Field], _ place: Place, now: UInt64
    ) -> TrackerReading {
        guard values.allSatisfy(\.isFinite) else { return .refused(.notFinite) }
        let form = profile.forms[place.form]
        let doubt = zip(values, fields).lazy.compactMap(form.doubt).first
        var whole = values
        if let part = place.part {
            guard let joined = joiners[place.form].take(part, values[0], now: now) else {
                return TrackerReading(problem: doubt)
            }
            whole = joined
        }
        guard var reading = reading(place.form, whole) else { return .refused(.noRotation) }
        reading.problem = doubt ?? form.doubt(whole)
        return reading
    }

    private func reading(_ form: Int, _ values: [Double]) -> TrackerReading? {
        guard let raw = profile.forms[form].orientation(values) else { return nil }
        let head = map == .identity ? raw : profile.forms[form].orientation(values, map) ?? raw
        return TrackerReading(
            pose: SIMD4<Float>(head), raw: SIMD4<Float>(raw), place: profile.forms[form].place(values), form: form)
    }

    private static func number(_ argument: Argument) -> Double? {
        if case .double(let value) = argument { return value }
        if case .bool = argument { return nil }
        return argument.number.map(Double.init)
    }

    // MARK: Pending axes

    /// Time at which ``release(now:)`` has a pose, CLOCK_MONOTONIC nanoseconds.
    public var nextDue: UInt64? { joiners.lazy.compactMap(\.due).min() }

    /// Returns the pose of axes whose waiting time is over.
    public mutating func release(now: UInt64) -> TrackerReading? {
        var newest: TrackerReading?
        for index in profile.forms.indices {
            if let values = joiners[index].release(now: now) { newest = reading(index, values) ?? newest }
        }
        return newest
    }
}

/// Result of reading one packet of a tracker.
public struct TrackerReading: Equatable, Sendable {
    /// Head orientation, w x y z; nil when the packet was refused or more axes are needed.
    public var pose: SIMD4<Float>?
    /// Orientation without the user's axis map, for calibration.
    public var raw: SIMD4<Float>?
    /// Place of the head in the tracker's space, metres to the front, to the left and up; nil when the packet has none.
    public var place: SIMD3<Float>?
    /// Index of the packet's form in the profile.
    public var form = 0
    /// Reason for the refusal or, together with a pose, a warning.
    public var problem: TrackerProblem?
    /// Whether the profile has the address.
    public var isKnown = true

    static let foreign = TrackerReading(isKnown: false)
    static func refused(_ problem: TrackerProblem) -> TrackerReading { TrackerReading(problem: problem) }
}

/// An error or a suspicious value in the data of a tracker.
public enum TrackerProblem: Equatable, Sendable, CustomStringConvertible {
    case count(expected: Int, found: Int)
    case notANumber
    case notFinite
    case noRotation
    case datagram(length: Int)
    /// Interpreted as radians. The sender may mean degrees, but converting on suspicion could turn heads unexpectedly.
    case degreesForRadians(Double)
    case outsideNormalised(Double)
    /// Normalised to length 1.
    case length(Double)

    public var description: String {
        switch self {
        case .count(let expected, let found): "expected \(counted(expected, "argument")), received \(found)"
        case .notANumber: "an argument is not a number"
        case .notFinite: "an argument is infinite or not a number; the pose was dropped"
        case .noRotation: "the quaternion has zero length; the pose was dropped"
        case .datagram(let length): "a datagram of \(counted(length, "byte")) does not match this format"
        case .degreesForRadians(let value): "\(value) radians is more than a full turn; does the tracker send degrees?"
        case .length(let length):
            "a quaternion of length \(Float(length)) was normalised to length 1; check that the order is w x y z"
        case .outsideNormalised(let value): "\(value) is outside 0 to 1; does the tracker send degrees?"
        }
    }
}

/// Joins axes received one by one into a pose: when all have arrived, when one arrives again, or after 5 ms.
struct AxisJoiner: Sendable {
    /// Maximum nanoseconds for which a pose waits for its remaining axes.
    static let window: UInt64 = 5_000_000

    private var values: [Double?]
    private var isNew: [Bool]
    private var begun: UInt64 = 0

    /// - Parameter initial: value of axes that have never arrived; nil waits for all of them.
    init(count: Int, initial: Double?) {
        values = Array(repeating: initial, count: count)
        isNew = Array(repeating: false, count: count)
    }

    /// Time at which pending axes become a pose; nil when none are pending.
    var due: UInt64? { isNew.contains(true) ? begun + Self.window : nil }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: all axes when they form a pose; otherwise nil.
    mutating func take(_ index: Int, _ value: Double, now: UInt64) -> [Double]? {
        var finished: [Double]?
        if isNew[index] || due.map({ now >= $0 }) == true { finished = finish() }
        if !isNew.contains(true) { begun = now }
        values[index] = value
        isNew[index] = true
        return isNew.contains(false) ? finished : finish()
    }

    /// Returns the pending axes when they are due.
    mutating func release(now: UInt64) -> [Double]? {
        guard let due, now >= due else { return nil }
        return finish()
    }

    private mutating func finish() -> [Double]? {
        for i in isNew.indices { isNew[i] = false }
        let known = values.compactMap { $0 }
        return known.count == values.count ? known : nil
    }
}
