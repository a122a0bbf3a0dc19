import Binaural
import Crossing
import Parameters
import Render
import RenderCore
import RenderInterface
import TestSupport

/// A looper with a live input that is a function of the frame, run in blocks of any size; commands are given at frames.
struct LooperBench: ~Copyable {
    /// Silent clicks, so that the metronome is not heard.
    static let silence = CueBank([("tick", [0, 0]), ("tock", [0, 0])])

    var harness: RenderHarness
    private var commands: Ring<LooperCommand>.Producer
    /// Samples that are heard besides the live input, left.
    var loop: [Float] = []
    private var time = 0
    private let blocks: [Int]
    private var next = 0
    let signal: (Int) -> Float

    /// - Parameters:
    ///   - blocks: sizes of the blocks in turn, at most 1024.
    ///   - signal: the input by frame.
    init(blocks: [Int] = [64], seconds: Int = 10, _ signal: @escaping (Int) -> Float) {
        harness = RenderHarness(method: .nearest, period: 1024, bank: Self.silence, longestLoop: seconds * 48_000)
        commands = harness.lines.direct.looper.take()
        self.blocks = blocks
        self.signal = signal
    }

    var frame: Int { time }
    var state: LooperState { LooperState(rawValue: Int(harness.lines.direct.loop[0]))! }
    /// Length in frames.
    var length: Int { Int((harness.lines.direct.loop[1] * 48_000).rounded()) }
    var canUndo: Bool { harness.lines.direct.loop[3] == 1 }
    var canRedo: Bool { harness.lines.direct.loop[4] == 1 }

    mutating func press(_ command: LooperCommand) { _ = commands.push(command) }

    /// Renders until a frame; a block ends there.
    mutating func run(to end: Int) {
        while time < end {
            let frames = min(blocks[next % blocks.count], end - time)
            next += 1
            let input = (time..<time + frames).map(signal)
            harness.graph.take(left: input, right: input.map { -$0 }, frames: frames, from: 1)
            var (left, right) = ([Float](repeating: 0, count: 1024), [Float](repeating: 0, count: 1024))
            harness.graph.render(left: &left, right: &right, frames: frames, at: .init(begin: 0, output: 0))
            for i in 0..<frames {
                precondition(left[i] == -right[i])
                loop.append(left[i] - input[i])
            }
            time += frames
        }
    }

    /// Records a loop of a number of frames from the current frame on, and lets its beginning and end fade.
    mutating func record(_ frames: Int) {
        press(.record)
        run(to: time + frames)
        press(.record)
        run(to: time + frames)
    }
}
