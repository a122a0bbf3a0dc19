public import Binaural
internal import CMySofa
internal import CSofa
internal import Files
internal import Glibc

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
        responses = try HeadResponses(contents, path)
        try Self.check(responses, path)
    }

    /// The path of the file; cheap, for threads that must not wait.
    /// - Throws: ``MediaError`` when the file does not exist, or does not begin like a SOFA file.
    public static func resolved(_ named: String) throws(MediaError) -> String {
        guard named.isEmpty else {
            _ = try opened(named)
            return named
        }
        guard let path = bundled.first(where: { access($0, R_OK) == 0 }) else {
            throw MediaError(
                "The HRTF of libmysofa was not found at \(bundled.joined(separator: " or ")). "
                    + "Install libmysofa, or name a SOFA file.")
        }
        return path
    }

    /// Opens a file and checks its size and its first bytes.
    private static func opened(_ path: String) throws(MediaError) -> RegularFile {
        let file: RegularFile
        do { file = try RegularFile(path) } catch {
            throw MediaError("\(path) cannot be read: \(error.reason). Name a SOFA file.")
        }
        guard file.size <= largest else {
            throw MediaError("\(path) has more than \(largest >> 20) MiB: too large for an HRTF.")
        }
        var bytes = [UInt8](repeating: 0, count: beginning.count)
        guard bytes.withUnsafeMutableBytes({ file.read(into: $0, at: 0) }), bytes == beginning else {
            throw MediaError("\(path) is not a SOFA file: the HDF5 signature is missing. Name a file ending in .sofa.")
        }
        return file
    }

    private static func contents(_ path: String) throws(MediaError) -> [UInt8] {
        let file = try opened(path)
        do { return try file.bytes(atMost: largest) } catch { throw MediaError("\(error)") }
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
            case Int(SOFA_TOO_LARGE): "its tables hold more than \(SOFA_MOST_VALUES) values"
            case ..<(-1000): "the process that reads it cannot be started (\(String(cString: strerror(-code - 1000))))"
            case MYSOFA_INVALID_FORMAT: "its structure is not that of a SOFA file, or it is damaged"
            case MYSOFA_UNSUPPORTED_FORMAT: "it uses a form of HDF5 that libmysofa does not read"
            case MYSOFA_NO_MEMORY: "there is not enough memory for it, or it is damaged"
            case MYSOFA_READ_ERROR: "it is truncated, or cannot be read"
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
