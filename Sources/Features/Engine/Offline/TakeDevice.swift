import Device
import Render

/// A file device that renders only the blocks of a take, with an action before each block.
final class TakeDevice: AudioDevice {
    var format: DeviceFormat { file.format }
    private let file: FileDevice
    private let beforeBlock: @Sendable (Int64) -> Void

    /// - Parameters:
    ///   - frames: of the take.
    ///   - beforeBlock: called on the device's thread before each block, with its first frame.
    init(_ format: DeviceFormat, frames: Int64, beforeBlock: @escaping @Sendable (Int64) -> Void) {
        file = FileDevice(format, frames: frames, awaitsRelease: true) { Nothing() }
        self.beforeBlock = beforeBlock
    }

    func release() { file.release() }

    func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        try file.start(in: holder, beforeBlock: beforeBlock, onEnd: onEnd)
    }

    /// Discards the device's sound, since the ears are taken from the renderer elsewhere.
    private final class Nothing: FrameSink {
        func write(_ interleaved: UnsafePointer<Float>, frames: Int) {}
        func finish() {}
    }
}
