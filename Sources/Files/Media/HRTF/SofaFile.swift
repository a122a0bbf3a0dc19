public import Binaural
internal import Files
internal import Glibc

/// Head-related impulse responses in a SOFA file (AES69), read by libhdf5 in a separate process.
public struct SofaFile: Sendable {
    public let path: String
    public let responses: HeadResponses
    /// Hash of the whole file, by which filters that were designed from it are found again.
    public let hash: ContentHash

    /// Largest size in bytes; a larger file is refused unread.
    static let largest = 1 << 29
    /// Longest time in seconds that reading may take.
    static let timeout: Int32 = 60
    /// Largest allowed gap between neighbouring directions near the horizon, in degrees.
    static let widestGap = 45.0
    /// Elevation in degrees, up or down, that counts as near the horizon.
    private static let near = 30.0

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
        do {
            let tables = try SofaTables(data, seconds: Self.timeout)
            responses = try HeadResponses(tables)
            // Earlier releases ignored the position, and cached other filters.
            if tables.variables["ListenerPosition"]?.values.contains(where: { $0 != 0 }) == true { hash.add("position") }
        } catch { throw error.error(path) }
        self.hash = hash
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

    /// Opens a file and checks its size and its signature.
    private static func opened(_ path: String) throws(MediaError) -> RegularFile {
        let file: RegularFile
        do { file = try RegularFile(path) } catch {
            throw MediaError("\(path) cannot be read: \(error.reason). Name a SOFA file.")
        }
        guard file.size <= largest else {
            throw MediaError("\(path) has more than \(largest >> 20) MiB: too large for an HRTF.")
        }
        try SofaSignature.check(file)
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
}
