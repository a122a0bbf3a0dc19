internal import CMosquitto
internal import CRealtime
internal import Dispatch
internal import Glibc
internal import Streaming
internal import Threads

/// The thread that keeps a connection to a broker.
///
/// Everything that may wait happens here: looking up names, connecting, TLS, writing. Other threads exchange messages with it through the
/// mailbox only.
final class MQTTThread: Sendable {
    private let settings: MQTTSettings
    private let mailbox: MQTTMailbox
    private let part: MQTTPart
    /// The result of preparing the library, once.
    private static let library = mosquitto_lib_init()
    private let ended = DispatchSemaphore(value: 0)

    init(_ settings: MQTTSettings, _ mailbox: MQTTMailbox, _ part: MQTTPart = .main) {
        (self.settings, self.mailbox, self.part) = (settings, mailbox, part)
    }

    func start() throws(ThreadError) {
        _ = try ProgramThread(part.threadName) { [self] in
            _ = Self.library
            run()
            ended.signal()
        }
    }

    /// Ends the connection. A thread that is waiting for a name or a connection is abandoned after half a second.
    func stop() {
        mailbox.stop()
        _ = ended.wait(timeout: .now() + .milliseconds(500))
    }

    private func run() {
        var pause = BackOff()
        // Connections that were lost soon, one after another.
        var short = 0
        while !mailbox.isStopped {
            mailbox.report(.connecting)
            guard let reason = attempt(&pause, &short), !mailbox.isStopped else { continue }
            // Mosquitto does not inform a client that another one has taken its place.
            let isReplaced = short > 1 && reason == MQTTProblem.lost
            if isReplaced { pause.noteReplaced() }
            mailbox.report(.lost(isReplaced ? MQTTProblem.lostAgain(engine: settings.topics.engine) : reason))
            wait(seconds: pause.next(jitter: .random(in: -1...1)))
        }
    }

    private func attempt(_ pause: inout BackOff, _ short: inout Int) -> String? {
        guard let link = MQTTLink(settings, mailbox, part) else { return "there is no memory for a connection" }
        let reason = link.run()
        if let since = link.connectedSince {
            let seconds = Double(rt_now() &- since) / 1e9
            pause.note(connectedFor: seconds)
            short = seconds < BackOff.steady ? short + 1 : 0
        }
        return reason
    }

    /// Waits, until the end of the program at the latest.
    private func wait(seconds: Double) {
        let end = rt_now() &+ UInt64(clamping: seconds * 1e9)
        while !mailbox.isStopped {
            let now = rt_now()
            guard now < end else { return }
            var descriptor = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Int32(clamping: (end - now) / 1_000_000 + 1))
            if descriptor.revents != 0 { mailbox.acknowledge() }
        }
    }
}
