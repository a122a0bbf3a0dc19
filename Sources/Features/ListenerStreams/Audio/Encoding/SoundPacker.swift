internal import CStreams

/// Encodes sound and packs it into fragments of MP4, or into pages of Ogg. Used by one thread at a time.
package final class SoundPacker {
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Codec and format.
    package enum Kind {
        case aacFragments, opusFragments, opusPages

        fileprivate var code: packer_kind {
            switch self {
            case .aacFragments: PACKER_AAC
            case .opusFragments: PACKER_OPUS
            case .opusPages: PACKER_OGG
            }
        }
    }

    private let packer: OpaquePointer
    /// Frames of a packet.
    package let frames: Int
    /// Frames by which the encoder delays the sound.
    package let delay: Int

    package init(_ kind: Kind, rate: Int, bitrate: Int) throws(Problem) {
        var problem = packer_problem()
        guard let packer = packer_new(kind.code, Int32(rate), Int32(bitrate), &problem) else {
            throw Self.problem(problem)
        }
        self.packer = packer
        (frames, delay) = (Int(packer_frames(packer)), Int(packer_delay(packer)))
    }

    deinit { packer_free(packer) }

    /// Encodes the frames of one packet.
    ///
    /// - Parameter samples: interleaved.
    /// - Returns: number of packets that this completes.
    package func add(_ samples: UnsafeBufferPointer<Float>) throws(Problem) -> Int {
        precondition(samples.count == 2 * frames)
        var problem = packer_problem()
        let count = packer_add(packer, samples.baseAddress, &problem)
        guard count >= 0 else { throw Self.problem(problem) }
        return Int(count)
    }

    /// The packets since the last call as a fragment or page; the initialization segment or headers before the first packet.
    package func take() throws(Problem) -> [UInt8] {
        var (problem, count) = (packer_problem(), 0)
        guard let bytes = packer_take(packer, &count, &problem) else { throw Self.problem(problem) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func problem(_ problem: packer_problem) -> Problem {
        Problem(description: withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
}
