public import Render

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
