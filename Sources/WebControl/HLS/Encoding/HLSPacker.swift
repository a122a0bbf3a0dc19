internal import CHLS

/// Encodes the sound of one format and packs it into fragments. Used by one thread at a time.
final class HLSPacker {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let packer: OpaquePointer
    /// Frames of a packet.
    let frames: Int
    /// Frames by which encoded sound is later than the sound that was given.
    let delay: Int

    init(_ format: HLSFormat, rate: Int, bitrate: Int) throws(Problem) {
        var problem = hls_problem()
        guard let packer = hls_packer_new(format == .aac ? HLS_AAC : HLS_OPUS, Int32(rate), Int32(bitrate), &problem) else {
            throw Self.problem(problem)
        }
        self.packer = packer
        (frames, delay) = (Int(hls_packer_frames(packer)), Int(hls_packer_delay(packer)))
    }

    deinit { hls_packer_free(packer) }

    /// Encodes the frames of one packet.
    ///
    /// - Parameter samples: interleaved.
    /// - Returns: number of packets that are complete by that.
    func add(_ samples: UnsafeBufferPointer<Float>) throws(Problem) -> Int {
        precondition(samples.count == 2 * frames)
        var problem = hls_problem()
        let count = hls_packer_add(packer, samples.baseAddress, &problem)
        guard count >= 0 else { throw Self.problem(problem) }
        return Int(count)
    }

    /// The packets since the last call as a fragment; the initialization segment before the first packet.
    func take() throws(Problem) -> [UInt8] {
        var (problem, count) = (hls_problem(), 0)
        guard let bytes = hls_packer_take(packer, &count, &problem) else { throw Self.problem(problem) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func problem(_ problem: hls_problem) -> Problem {
        Problem(description: withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
}
