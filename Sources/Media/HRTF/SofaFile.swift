public import Binaural
internal import CMySofa
internal import CSofa
internal import Foundation

/// Head-related impulse responses in a SOFA file (AES69), read by libmysofa in a separate process.
public struct SofaFile: Sendable {
    public let path: String
    public let responses: HeadResponses
    /// Hash of the whole file.
    public let hash: ContentHash

    /// Largest size in bytes; a larger file is refused unread.
    static let largest = 1 << 29
    /// Longest time in seconds that reading may take.
    static let timeout: Int32 = 60
    /// Largest allowed gap between neighbouring directions near the horizon, in degrees.
    static let widestGap = 45.0
    /// Elevation in degrees, up or down, that counts as near the horizon.
    private static let near = 30.0
    private static let beginning: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Paths at which libmysofa installs its own responses: an artificial head's (KEMAR, measured at the MIT).
    public static let bundled = ["/usr/share", "/usr/local/share"].map { "\($0)/libmysofa/default.sofa" }

    /// - Parameter path: empty for the responses of libmysofa.
    /// - Throws: ``MediaError`` when the file is not a SOFA file, or lacks two ears, impulse responses or directions
    ///   all around the head.
    public init(path named: String) throws(MediaError) {
        path = try Self.resolved(named)
        let data = try Self.contents(path)
        var hash = ContentHash()
        data.withUnsafeBytes { hash.add($0) }
        self.hash = hash
        var contents = sofa_contents()
        let code = data.withUnsafeBytes { sofa_read($0.baseAddress, $0.count, Self.timeout, &contents) }
        guard code == 0 else { throw Self.refusal(path, code) }
        defer { sofa_free(&contents) }
        responses = try Self.responses(contents, path)
        try Self.check(responses, path)
    }

    /// The path of the file; cheap, for threads that must not wait.
    /// - Throws: ``MediaError`` when the file does not exist, or does not begin like a SOFA file.
    public static func resolved(_ named: String) throws(MediaError) -> String {
        guard named.isEmpty else {
            try checkHeader(named)
            return named
        }
        guard let path = bundled.first(where: { access($0, R_OK) == 0 }) else {
            throw MediaError(
                "The head-related responses that come with libmysofa are not at \(bundled.joined(separator: " or ")). "
                    + "Install libmysofa, or name a SOFA file.")
        }
        return path
    }

    private static func checkHeader(_ path: String) throws(MediaError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw MediaError("\(path) cannot be read: \(String(cString: strerror(errno))). Name a SOFA file.")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw MediaError("\(path) is not a file. Name a SOFA file.")
        }
        guard status.st_size <= largest else {
            throw MediaError("\(path) has more than \(largest >> 20) MB: too large for head-related responses.")
        }
        guard let file = fopen(path, "rb") else {
            throw MediaError("\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: beginning.count)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count, bytes == beginning else {
            throw MediaError("\(path) is not a SOFA file: the HDF5 signature is missing. Name a file ending in .sofa.")
        }
    }

    private static func contents(_ path: String) throws(MediaError) -> Data {
        try checkHeader(path)
        do { return try Data(contentsOf: URL(filePath: path)) } catch {
            throw MediaError("\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    private static func responses(_ file: sofa_contents, _ path: String) throws(MediaError) -> HeadResponses {
        let (count, length) = (Int(file.directions), Int(file.samples))
        var rest = UnsafeBufferPointer(start: file.values, count: file.count)[...]
        func values(_ number: Int) -> [Float] {
            let taken = Array(rest.prefix(number))
            rest = rest.dropFirst(number)
            return taken
        }
        let (rateCount, delayCount) = (Int(file.rates), Int(file.delays))
        let sound = values(count * Int(file.ears) * length)
        let places = values(3 * count)
        let (rates, delays) = (values(rateCount), values(delayCount))
        guard file.ears == 2, rest.isEmpty, count > 0, length > 0, sound.count == count * 2 * length, places.count == 3 * count,
            let rate = rates.first, rate.isFinite, rate >= 8000, rate <= 768_000
        else {
            throw MediaError(
                "\(path) does not have an impulse response for each of two ears in every direction: "
                    + "\(count) directions, \(file.ears) ears, \(length) samples.")
        }
        guard sound.allSatisfy(\.isFinite), places.allSatisfy(\.isFinite), delays.allSatisfy(\.isFinite) else {
            throw MediaError("\(path) is damaged: some of its samples, directions or delays are not numbers.")
        }
        guard delays.allSatisfy({ abs($0) <= rate }) else {
            throw MediaError("\(path) is damaged: some of its delays are longer than 1 s.")
        }
        let ears = (0..<2).map { ear -> [Float] in
            (0..<count).flatMap { direction -> ArraySlice<Float> in
                let start = (2 * direction + ear) * length
                return sound[start..<start + length]
            }
        }
        let late = (0..<2).map { ear in
            (0..<count).map { direction -> Double in
                switch delays.count {
                case 2 * count: Double(delays[2 * direction + ear])
                case 2: Double(delays[ear])
                default: 0
                }
            }
        }
        return HeadResponses(
            rate: Double(rate), length: length, azimuths: (0..<count).map { Double(places[3 * $0]) },
            elevations: (0..<count).map { Double(places[3 * $0 + 1]) }, left: ears[0], right: ears[1], delays: late)
    }

    /// Refuses responses from which no filters can be designed.
    static func check(_ responses: HeadResponses, _ path: String) throws(MediaError) {
        for (ear, name) in ["left", "right"].enumerated() {
            for direction in 0..<responses.count {
                let row = responses.samples[ear][direction * responses.length..<(direction + 1) * responses.length]
                guard row.contains(where: { abs($0) > 1e-9 }) else {
                    throw MediaError(
                        "\(path) is silent at the \(name) ear for direction \(direction + 1) of \(responses.count): "
                            + "azimuth \(responses.azimuths[direction]), elevation \(responses.elevations[direction]).")
                }
            }
        }
        let around = (0..<responses.count).filter { abs(responses.elevations[$0]) <= near }
            .map { Double(wrapDegrees(Float(responses.azimuths[$0]))) }.sorted()
        let gaps = zip(around, around.dropFirst() + [(around.first ?? 0) + 360]).map { $1 - $0 }
        guard let widest = gaps.max(), widest <= widestGap + 0.01 else {
            throw MediaError(
                "\(path) has \(gaps.max().map { "a gap of \(Int(clamping: $0.rounded())) degrees" } ?? "no directions") near the "
                    + "horizon, but filters need directions all around, at most \(Int(clamping: widestGap)) degrees apart. "
                    + "Use a measurement with more directions.")
        }
    }

    private static func refusal(_ path: String, _ code: Int32) -> MediaError {
        let reason =
            switch Int(code) {
            case Int(SOFA_DIED): "it is damaged: the process reading it crashed"
            case Int(SOFA_STUCK): "it is damaged: reading it did not finish within \(timeout) seconds"
            case ..<(-1000): "the process that reads it cannot be started (\(String(cString: strerror(-code - 1000))))"
            case MYSOFA_INVALID_FORMAT: "its structure is not that of a SOFA file, or it is damaged"
            case MYSOFA_UNSUPPORTED_FORMAT: "it uses a form of HDF5 that libmysofa does not read"
            case MYSOFA_NO_MEMORY: "there is not enough memory for it, or it is damaged"
            case MYSOFA_READ_ERROR: "it is cut short, or cannot be read"
            case MYSOFA_INVALID_ATTRIBUTES:
                "it does not follow the convention SimpleFreeFieldHRIR with impulse responses (FIR)"
            case MYSOFA_INVALID_DIMENSIONS, MYSOFA_INVALID_DIMENSION_LIST: "its tables have the wrong sizes"
            case MYSOFA_INVALID_COORDINATE_TYPE: "its positions are neither spherical nor cartesian"
            case MYSOFA_ONLY_EMITTER_WITH_ECI_SUPPORTED: "it does not have a single emitter for all directions"
            case MYSOFA_ONLY_DELAYS_WITH_IR_OR_MR_SUPPORTED: "its delays are given neither per ear nor per direction and ear"
            case MYSOFA_ONLY_THE_SAME_SAMPLING_RATE_SUPPORTED: "its responses have different sampling rates"
            case MYSOFA_RECEIVERS_WITH_RCI_SUPPORTED, MYSOFA_RECEIVERS_WITH_CARTESIAN_SUPPORTED,
                MYSOFA_INVALID_RECEIVER_POSITIONS:
                "it does not have exactly two ears, left before right"
            case MYSOFA_ONLY_SOURCES_WITH_MC_SUPPORTED: "it does not give a position for every direction"
            default: "libmysofa reports error \(code)"
            }
        return MediaError("\(path) cannot be used: \(reason). Use a SOFA file with one head's free-field responses.")
    }
}
