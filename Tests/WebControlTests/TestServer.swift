import Crossing
import Foundation
import Hub
import OSCControl
import Parameters
import Synchronization
import Trust
import WebControl

/// A server on a free port, its loop on a thread of its own, with a hub and no engine.
final class TestServer: Sendable {
    typealias Work = @Sendable (Hub, WebServer) -> Void

    let port: Int
    private let handle: LoopHandle
    private let work: Queue
    private let ended: DispatchSemaphore

    private final class Queue: Sendable {
        let items = Mutex<[Work]>([])
        func take() -> [Work] {
            items.withLock { items in
                defer { items = [] }
                return items
            }
        }
    }

    /// - Parameter prepare: called on the loop's thread before it runs.
    init(
        panel: String? = nil, isAlive: Bool = true, tokens: AccessTokens? = nil, allowedHosts: [String] = [],
        limits: WebLimits = .init(), certificate: ServerCertificate? = nil,
        devices: String? = nil, admission: OSCAdmission? = nil, prepare: @escaping Work = { _, _ in }
    ) throws {
        let (work, ended, started) = (Queue(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let made = Mutex<(Int, LoopHandle)?>(nil)
        // Held by the thread's closure and this one until both are done with it.
        let result = Holder(made)
        Thread {
            let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])
            let hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
            var options = WebServer.Options(port: 0, panel: panel, oscHost: "127.0.0.1", oscPort: 9000)
            (options.tokens, options.allowedHosts, options.limits) = (tokens, allowedHosts, limits)
            options.certificate = certificate
            options.devices = devices.flatMap { try? PairedDevices(path: $0) }
            options.admission = admission
            let server = try? WebServer(options, hub: hub) { Health(isAlive: isAlive, blocks: 12, xruns: 3) }
            if let server {
                server.onWake = { [unowned server] in for item in work.take() { item(hub, server) } }
                prepare(hub, server)
                result.value.withLock { $0 = (server.port, server.handle) }
            }
            started.signal()
            server?.run()
            ended.signal()
        }.start()
        started.wait()
        guard let (port, handle) = result.value.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
        self.port = port
        self.handle = handle
        self.work = work
        self.ended = ended
    }

    deinit {
        handle.stop()
        ended.wait()
    }

    /// Does something on the loop and waits until it is done.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (Hub, WebServer) -> Result) -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = Holder(Mutex<Result?>(nil))
        work.items.withLock {
            $0.append { hub, server in
                let value = body(hub, server)
                result.value.withLock { $0 = value }
                done.signal()
            }
        }
        handle.wake()
        done.wait()
        return result.value.withLock { $0! }
    }

    /// Waits until something is so on the loop, for 10 s at most.
    func until(_ body: @escaping @Sendable (Hub, WebServer) -> Bool) -> Bool {
        for _ in 0..<2000 {
            if perform(body) { return true }
            usleep(5000)
        }
        return false
    }
}

/// Lets several closures hold one value that cannot be copied.
final class Holder<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}
