internal import CRealtime
package import Render

/// A thread that renders the network listeners of one worker. It looks for new blocks every few milliseconds: the audio thread only
/// leaves them in memory, and wakes no thread.
package final class ListenerWorker: Sendable {
    /// SCHED_FIFO priority, below the audio thread's.
    private static let priority = RealtimeThread.priority - 10
    /// Shortest rest of the thread as a share of the time it has just spent rendering, so that it never occupies a whole processor.
    private static let rest: UInt64 = 8

    private let stopping = Flag()
    private let thread: RealtimeThread

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - number: of the worker, from 0.
    ///   - hop: blocks between two checks.
    package init(_ renderer: consuming NetworkRenderer, number: Int, hop: Int, format: DeviceFormat) throws(DeviceError) {
        let holder = Place(renderer)
        let interval = UInt64(hop * format.period) * 1_000_000_000 / UInt64(format.rate)
        let stopping = stopping
        thread = try RealtimeThread(name: "listeners \(number + 1)", raised: true, priority: Self.priority) {
            var next = rt_now()
            while !stopping.isRaised {
                let begin = rt_now()
                holder.renderer.pointee.render(hop: hop)
                let now = rt_now()
                next = max(next + interval, now + (now - begin) / Self.rest)
                realtime_sleep_until(next)
            }
            // Takes end with the last block that the device has rendered.
            holder.renderer.pointee.render(hop: hop)
        }
    }

    /// Ends the thread; the renderer is freed here.
    package func stop() {
        stopping.raise()
        _ = thread.join(within: 1_000_000_000)
    }

    deinit { stop() }

    /// Memory for the renderer while the thread uses it.
    // SAFETY: only the thread uses the pointer; the memory is freed with the last reference, which the thread's body holds.
    private final class Place: @unchecked Sendable {
        let renderer: UnsafeMutablePointer<NetworkRenderer>

        init(_ renderer: consuming NetworkRenderer) {
            self.renderer = .allocate(capacity: 1)
            self.renderer.initialize(to: renderer)
        }

        deinit {
            renderer.deinitialize(count: 1)
            renderer.deallocate()
        }
    }
}
