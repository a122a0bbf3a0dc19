internal import Binaural
internal import Crossing
internal import DSP
internal import RenderCore

/// The scene that all listeners share, block by block, for a thread that sends it to browsers which render it themselves.
///
/// One end of a queue that the audio thread fills while it is needed; see ``NetworkConnections/scene``.
public struct SceneBlocks: ~Copyable, Sendable {
    /// A block of the scene; its memory is valid in the call of ``take(_:)`` only.
    public struct Block {
        /// The engine's sample count at the first frame.
        public let sample: Int64
        public let frames: Int
        /// Number of microphones; 0 without a recording.
        public let channels: Int
        /// Version of the array, as feeds and edits count it.
        public let arrayVersion: Int64
        /// Interleaved microphones, calibrated.
        public let microphones: UnsafePointer<Float>
        /// Both sides of the live input; nil without it.
        public let input: (left: UnsafePointer<Float>, right: UnsafePointer<Float>)?
        /// Number of audible objects.
        public let objects: Int
        fileprivate let active: UnsafePointer<ActiveObject>
        fileprivate let rows: UnsafePointer<Float>

        /// Number of an audible object, counted from 0.
        public func object(_ i: Int) -> Int { active[i].object }

        /// Unit vector from the listeners to an audible object: front, left, up.
        public func direction(_ i: Int) -> SIMD3<Float> { active[i].direction }

        /// Sound of an audible object, with its level.
        public func sound(_ i: Int) -> UnsafePointer<Float> { rows + i * PreparedObjects.length(frames: frames) }
    }

    private var pieces: BufferRing.Consumer
    private let layout: SharedBlockLayout

    init(_ pieces: consuming BufferRing.Consumer, layout: SharedBlockLayout) {
        self.pieces = pieces
        self.layout = layout
    }

    /// Passes on every block that has arrived, the oldest first.
    public mutating func take(_ body: (Block) -> Void) {
        var remaining = pieces.available
        while remaining > 0 {
            let piece = pieces.oldest
            let shared = layout.block(piece).pointee
            body(
                Block(
                    sample: shared.sample, frames: shared.frames, channels: shared.channels, arrayVersion: shared.arrayVersion,
                    microphones: UnsafePointer(layout.samples(piece)),
                    input: shared.hasInput
                        ? (UnsafePointer(layout.input(piece, side: 0)), UnsafePointer(layout.input(piece, side: 1))) : nil,
                    objects: shared.objects, active: UnsafePointer(layout.objects(piece)), rows: UnsafePointer(layout.rows(piece))))
            pieces.release()
            remaining -= 1
        }
    }
}
