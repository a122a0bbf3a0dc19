public import Binaural
internal import Files
internal import Foundation
public import Render

/// A block of the scene for the encoder: everything that all listeners share.
public struct SceneFrames {
    /// An audible object.
    public struct Object {
        /// Counted from 0.
        public var number: Int
        /// Unit vector from the listeners to it: front, left, up.
        public var direction: SIMD3<Float>
        /// One channel, with its level.
        public var sound: [Float]

        public init(number: Int, direction: SIMD3<Float>, sound: [Float]) {
            self.number = number
            self.direction = direction
            self.sound = sound
        }
    }

    /// The engine's sample count at the first frame.
    public var sample: Int64 = 0
    public var frames = 0
    /// Number of microphones; 0 without a recording.
    public var channels = 0
    /// Version of the array, which ``SceneStream/array`` describes.
    public var version: Int64 = 0
    /// Interleaved, calibrated.
    public var microphones: [Float] = []
    /// Left and right of the live input; empty without it.
    public var input: [[Float]] = []
    public var objects: [Object] = []

    public init() {}
}

/// Reads the blocks of the scene for the thread that encodes it.
// SAFETY: used on that thread alone.
public final class SceneReader: @unchecked Sendable {
    private var blocks: SceneBlocks
    private var frames = SceneFrames()

    public init(_ blocks: consuming SceneBlocks) { self.blocks = blocks }

    /// Passes on the blocks that have arrived.
    public func read(_ body: (SceneFrames) -> Void) {
        blocks.take { block in
            copy(block)
            body(frames)
        }
    }

    private func copy(_ block: SceneBlocks.Block) {
        frames.sample = block.sample
        frames.frames = block.frames
        frames.channels = block.channels
        frames.version = block.arrayVersion
        frames.microphones.removeAll(keepingCapacity: true)
        frames.microphones.append(contentsOf: UnsafeBufferPointer(start: block.microphones, count: block.frames * block.channels))
        func row(_ start: UnsafePointer<Float>) -> [Float] { Array(UnsafeBufferPointer(start: start, count: block.frames)) }
        frames.input = block.input.map { [row($0.left), row($0.right)] } ?? []
        frames.objects = (0..<block.objects).map {
            .init(number: block.object($0), direction: block.direction($0), sound: row(block.sound($0)))
        }
    }
}

/// The array of the scene, as clients that render their listeners need it.
public struct ArrayDescription: Encodable {
    let azimuths: [Float]
    let radius: Float
    /// Numbers of the dead microphones, counted from 1.
    let dead: [Int]

    /// - Parameter muted: bit k is set when microphone k is dead.
    public init(_ array: MicrophoneArray, muted: UInt64) {
        azimuths = array.azimuthList
        radius = array.radius
        dead = (0..<array.count).filter { muted & 1 << UInt64($0) != 0 }.map { $0 + 1 }
    }

    /// Members of the JSON object, without its braces.
    public var members: String {
        // Encoding fails only for numbers that are not finite, and no array has any.
        guard let bytes = try? JSONEncoder.wire.encode(self) else { return "" }
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
