public import Render

/// A device at work on a renderer. Ends when told to, or when nobody holds it any more.
public final class DeviceRun<Renderer: BlockRenderer & ~Copyable>: Sendable {
    /// What would make the run safer against dropouts, one line each; empty when nothing would.
    public let hints: [String]
    private let slot: RendererSlot<Renderer>
    private let stopping: Flag
    private let thread: RealtimeThread
    private let patience: UInt64?

    /// Nanoseconds after which a device that does not come back is left to itself.
    static var livePatience: UInt64 { 200_000_000 }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: of the thread.
    ///   - live: false for a device that has all the time there is.
    ///   - occupied: the device's own flag, raised while a run lasts.
    ///   - loop: renders until the flag is raised or nothing is left; returns why it could not go on.
    ///   - close: what the thread does afterwards, when the renderer may be taken already.
    init(
        _ renderer: consuming Renderer, name: String, live: Bool, hints: [String] = [], occupied: Flag,
        loop: @escaping @Sendable (UnsafeMutablePointer<Renderer>, Flag) -> DeviceError?,
        close: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) {
        let slot = RendererSlot(renderer)
        let stopping = Flag()
        guard occupied.raise() else { throw DeviceError("The device runs already; stop it before starting it again.") }
        do {
            thread = try RealtimeThread(name: name, raised: live) {
                let failure = loop(slot.pointer, stopping)
                slot.release()
                close()
                occupied.lower()
                if !stopping.isRaised { onEnd(failure) }
            }
        } catch {
            occupied.lower()
            throw error
        }
        self.slot = slot
        self.stopping = stopping
        self.hints = hints + thread.hints
        patience = live ? Self.livePatience : nil
    }

    /// Ends the run and gives the renderer back, to be freed here and not on the audio thread.
    ///
    /// A live device is waited for 200 ms, one that writes a file until the file is complete.
    ///
    /// - Returns: nil when the renderer was given back before, or when a driver does not return while the
    ///   renderer waits for it: then the thread is left to itself and frees the renderer if it ever wakes.
    public func stop() -> Renderer? {
        stopping.raise()
        _ = thread.join(within: patience)
        return slot.take()
    }

    deinit {
        stopping.raise()
        _ = thread.join(within: patience)
    }
}
