internal import CRealtime
internal import Dispatch
internal import ListenerStreams
internal import Parameters
internal import Streaming
internal import Synchronization
internal import Threads
internal import Web

/// The thread, named "Icecast", that encodes a listener's sound and sends it to a server.
///
/// Everything that may wait happens here: looking up names, connecting, TLS, writing. The sound of others never waits for it.
final class IcecastThread: Sendable {
    /// Seconds between two turns.
    private static let interval = 0.02
    /// Seconds without sound after which the connection is closed; the server would do so itself.
    private static let longestPause = 5.0

    let inlet: SoundInlet
    private let settings: IcecastSettings
    private let rate: Int
    private let figures = Mutex(IcecastFigures())
    private let present = Mutex<IcecastConnection?>(nil)
    private let isStopped = Atomic(false)
    private let (stopping, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    /// - Parameter rate: frames per second.
    init(_ settings: IcecastSettings, rate: Int) {
        (self.settings, self.rate) = (settings, rate)
        inlet = SoundInlet(rate: rate)
    }

    /// The current state.
    var reading: IcecastFigures { figures.withLock { $0 } }

    func start() throws(ThreadError) {
        _ = try ProgramThread("Icecast") { [self] in
            run()
            ended.signal()
        }
    }

    /// Ends the connection. A thread that is waiting for a name is left to itself after half a second.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        let connection = present.withLock { $0 }
        connection?.cancel()
        stopping.signal()
        _ = ended.wait(timeout: .now() + .milliseconds(500))
    }

    private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

    private func run() {
        var pause = BackOff()
        while goesOn {
            figures.withLock { $0.state = .connecting }
            let reason = attempt(&pause)
            figures.withLock { ($0.state, $0.problem) = (.waiting, reason) }
            wait(seconds: pause.next(jitter: .random(in: -1...1)))
        }
    }

    /// Connects and sends until the end.
    /// - Returns: the reason of the end.
    private func attempt(_ pause: inout BackOff) -> String {
        guard let connection = IcecastConnection() else { return "there is no memory for a connection" }
        present.withLock { $0 = connection }
        defer { present.withLock { $0 = nil } }
        // `stop()` may have come before there was a connection to cancel.
        guard goesOn else { return "" }
        do throws(IcecastConnection.Failure) { try connection.open(settings) } catch {
            return IcecastProblem.refused(error, settings.server)
        }
        let since = rt_now()
        figures.withLock { ($0.state, $0.problem) = (.connected, "") }
        defer {
            pause.note(connectedFor: Double(rt_now() &- since) / 1e9)
            figures.withLock { $0.losses += 1 }
        }
        do throws(SoundPacker.Problem) { return try stream(to: connection) } catch { return error.description }
    }

    private func stream(to connection: IcecastConnection) throws(SoundPacker.Problem) -> String {
        var stream = try OggOpusStream(rate: rate, bitrate: 1000 * settings.bitrate)
        // Drops the sound from before the connection.
        _ = inlet.take()
        var pages = stream.headers
        var latest = rt_now()
        while goesOn {
            let before = (frames: stream.frames, lost: stream.lost)
            for batch in inlet.take() {
                pages += try stream.add(batch)
                latest = rt_now()
            }
            guard rt_now() < latest + UInt64(clamping: Self.longestPause * 1e9) else { return IcecastProblem.noSound }
            if !pages.isEmpty {
                do throws(IcecastConnection.Failure) { try connection.send(pages) } catch { return IcecastProblem.lost(error) }
            }
            let (bytes, frames, lost) = (pages.count, stream.frames - before.frames, stream.lost - before.lost)
            figures.withLock {
                $0.bytes += bytes
                $0.frames += frames
                $0.lost += lost
            }
            pages = []
            wait(seconds: Self.interval)
        }
        return ""
    }

    /// Waits, but no longer than until ``stop()``.
    private func wait(seconds: Double) { if goesOn { _ = stopping.wait(timeout: .now() + seconds) } }
}

/// State of the stream to an Icecast server.
struct IcecastFigures: Sendable, Equatable {
    var state = ConnectionState.off
    /// Reason why there is no connection, a clause; empty while there is one.
    var problem = ""
    /// Bytes and frames of sound that were sent since the start.
    var (bytes, frames) = (0, 0)
    /// Connections that were lost since the start.
    var losses = 0
    /// Frames that were lost because the machine or the network was too slow.
    var lost = 0
}
