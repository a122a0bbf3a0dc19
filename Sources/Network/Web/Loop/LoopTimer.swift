internal import CRealtime
internal import CWebSockets
internal import Glibc

/// Calls a function repeatedly on a server's loop.
///
/// The library's own timers have a resolution of milliseconds, and it polls the kernel during the last one; a timer
/// descriptor wakes the loop exactly when the time has come.
package final class LoopTimer {
    /// Returns the microseconds from the beginning of this call to that of the next; nil waits for ``arm(after:)``.
    private let body: () -> Int?
    private let descriptor: Int32
    private var wsi: OpaquePointer?

    /// - Parameters:
    ///   - host: of the server; events of its protocol `name` are passed to ``of(_:)``.
    /// - Returns: nil when the process has no descriptor left.
    init?(_ host: OpaquePointer, protocol name: UnsafePointer<CChar>, _ body: @escaping () -> Int?) {
        self.body = body
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        var adopted = lws_sock_file_fd_type()
        adopted.filefd = descriptor
        // The library closes a descriptor that it does not accept.
        guard let wsi = lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, adopted, name, nil) else { return nil }
        self.wsi = wsi
        lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { cancel() }

    /// The timer of one of the loop's descriptors.
    static func of(_ wsi: OpaquePointer) -> LoopTimer? {
        // SAFETY: only timers are adopted as files, and `cancel` clears the pointer before a timer is freed.
        lws_get_opaque_user_data(wsi).map { Unmanaged<LoopTimer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Parameter microseconds: until the next call.
    package func arm(after microseconds: Int) { set(max(1, microseconds * 1000)) }

    package func disarm() { set(0) }

    /// - Parameter nanoseconds: from now on; 0 is never. A duration and not a point in time, since simulations let the clock run fast.
    private func set(_ nanoseconds: Int) {
        guard wsi != nil else { return }
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        timerfd_settime(descriptor, 0, &setting, nil)
    }

    /// Called by the loop when the time has come.
    func fire() {
        var expirations: UInt64 = 0
        guard read(descriptor, &expirations, 8) == 8 else { return }
        let begin = rt_now()
        if let next = body() { set(max(1, next * 1000 - Int(clamping: rt_now() - begin))) }
    }

    /// Must be called before the loop is destroyed, which closes the descriptor.
    func cancel() {
        guard let wsi else { return }
        disarm()
        self.wsi = nil
        lws_set_opaque_user_data(wsi, nil)
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, lws_kill_async)
    }
}
