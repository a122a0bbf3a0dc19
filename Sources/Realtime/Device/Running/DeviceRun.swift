internal import CRealtime
public import Render

/// A run of a device with a renderer. It ends when stopped, or with its last reference.
public final class DeviceRun<Renderer: BlockRenderer & ~Copyable>: Sendable {
    /// Suggestions that would make dropouts less likely, one per line; empty for none.
    public let hints: [String]
    private let holder: RendererHolder<Renderer>
    private let stopping: Flag
    private let thread: RealtimeThread
    private let timeout: UInt64?

    /// Nanoseconds after which a device that does not return is abandoned.
    static var liveTimeout: UInt64 { 200_000_000 }

    /// Starts a thread that uses the renderer for the whole run.
    ///
    /// - Parameters:
    ///   - name: name of the thread.
    ///   - live: false for a device without deadlines.
    ///   - occupied: the device's own flag, raised while a run lasts.
    ///   - loop: renders until the flag is raised or nothing is left; returns the error when it fails.
    convenience init(
        in holder: RendererHolder<Renderer>, name: String, live: Bool, occupied: Flag,
        loop: @escaping @Sendable (UnsafeMutablePointer<Renderer>, Flag) -> DeviceError?,
        onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) {
        try self.init(
            in: holder, name: name, live: live, occupied: occupied,
            blocks: { holder, stopping in
                guard holder.enter() else { return nil }
                defer { holder.leave() }
                return loop(holder.pointer, stopping)
            }, onEnd: onEnd)
    }

    /// Starts a thread that uses the renderer block by block, between which it can be taken.
    ///
    /// - Parameters:
    ///   - raised: whether the thread itself has deadlines.
    ///   - blocks: as `loop` above.
    ///   - close: called by the thread afterwards, when the renderer may have been taken already.
    init(
        in holder: RendererHolder<Renderer>, name: String, live: Bool, raised: Bool? = nil, hints: [String] = [], occupied: Flag,
        blocks: @escaping @Sendable (RendererHolder<Renderer>, Flag) -> DeviceError?,
        close: @escaping @Sendable () -> Void = {}, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) {
        let stopping = Flag()
        guard occupied.raise() else { throw DeviceError("The device is already running; stop it before starting it again.") }
        do {
            thread = try RealtimeThread(name: name, raised: raised ?? live) {
                let failure = blocks(holder, stopping)
                close()
                occupied.lower()
                if !stopping.isRaised { onEnd(failure) }
            }
        } catch {
            occupied.lower()
            throw error
        }
        self.holder = holder
        self.stopping = stopping
        self.hints = hints + thread.hints
        timeout = live ? Self.liveTimeout : nil
    }

    /// Ends the run and returns the renderer, so that it is freed on the calling thread instead of the audio thread.
    ///
    /// Waits for a live device up to 200 ms, for a file device until the file is complete.
    ///
    /// - Returns: nil when the renderer was returned before, or when a thread that uses it for the whole run does not return in time;
    ///   that thread is then abandoned and frees the renderer if it ever wakes.
    public func stop() -> Renderer? {
        stopping.raise()
        _ = thread.join(within: timeout)
        return holder.claim() ? holder.pointer.move() : nil
    }

    // MARK: Change of devices

    /// CLOCK_MONOTONIC nanoseconds of the newest block that the device asked for; 0 before the first.
    var newestBlock: UInt64 { holder.newestBlock }

    /// A holder for the same renderer on another device.
    var emptyHolder: RendererHolder<Renderer> { RendererHolder(listeners: holder.listeners) }

    /// Takes the renderer while the run continues, in silence from then on.
    ///
    /// - Parameter nanoseconds: longest wait for the end of a block.
    /// - Returns: nil when the renderer is elsewhere, or a block does not end in that time.
    func take(within nanoseconds: UInt64) -> Renderer? {
        let end = rt_now() + nanoseconds
        while !holder.claim() {
            guard rt_now() < end else { return nil }
            realtime_sleep_until(rt_now() + 100_000)
        }
        return holder.pointer.move()
    }

    /// Gives the run a renderer, whose sound is faded in. The run must have none.
    func put(_ renderer: consuming Renderer) { holder.put(renderer) }

    /// Fades the sound out, and waits for that up to `nanoseconds`.
    func fadeOut(within nanoseconds: UInt64) {
        holder.fading.raise()
        _ = holder.faded.wait(within: nanoseconds)
    }

    /// Ends the run, however long its driver takes.
    func end() {
        stopping.raise()
        _ = thread.join(within: nil)
    }

    deinit {
        stopping.raise()
        _ = thread.join(within: timeout)
    }
}
