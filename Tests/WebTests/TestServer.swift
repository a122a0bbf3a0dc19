import Foundation
import Hub
import OSCControl
import Parameters
import Query
import RenderInterface
import Synchronization
import TestSupport
import Testing
import Trust
import Web

/// A server on a free port with a hub and no engine; its loop has its own thread.
final class TestServer: Sendable {
    typealias Work = @Sendable (Hub, TestWeb) -> Void

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

    /// The folder of the real panel.
    static let panel = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "web").path

    /// Limits of a server for clients that may stall in the middle of a request.
    static var patient: WebLimits {
        var limits = WebLimits()
        limits.requestSeconds = 60
        return limits
    }

    /// - Parameters:
    ///   - prepare: called on the loop's thread before it runs.
    ///   - adjust: changes further settings.
    init(
        panel: String? = nil, isAlive: Bool = true, tokens: AccessTokens? = nil, allowedHosts: [String] = [],
        limits: WebLimits = TestServer.patient, proxies: [AddressRange] = [], certificate: ServerCertificate? = nil,
        clients: String? = nil, admission: OSCAdmission? = nil, prepare: @escaping Work = { _, _ in },
        adjust: @escaping @Sendable (inout TestWeb.Options) -> Void = { _ in }
    ) throws {
        let (work, ended, started) = (Queue(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let made = Mutex<(Int, LoopHandle)?>(nil)
        // Shared by the thread's closure and this function.
        let result = Holder(made)
        Thread {
            let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])
            let hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
            var web = WebServer.Options(port: 0, panel: panel, oscHost: "127.0.0.1", oscPort: 9000)
            (web.access.tokens, web.access.allowedHosts, web.limits) = (tokens, allowedHosts, limits)
            web.access.certificate = certificate
            web.access.proxies = proxies
            web.access.pairedClients = clients.flatMap { try? PairedClients(path: $0) }
            web.access.admission = admission
            var options = TestWeb.Options(web: web)
            adjust(&options)
            let server = try? TestWeb(options, hub: hub) { Health(isAlive: isAlive, blocks: 12, xruns: 3) }
            if let server {
                server.loop.onWake = { [unowned server] in for item in work.take() { item(hub, server) } }
                prepare(hub, server)
                result.value.withLock { $0 = (server.port, server.loop.handle) }
            }
            started.signal()
            try? server?.run()
            ended.signal()
        }.start()
        guard started.wait(timeout: .now() + 60) == .success else { fatalError("the server does not start") }
        guard let (port, handle) = result.value.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
        self.port = port
        self.handle = handle
        self.work = work
        self.ended = ended
    }

    deinit {
        handle.stop()
        if ended.wait(timeout: .now() + 60) != .success { Issue.record("the server does not stop") }
    }

    /// Runs a function on the loop and waits for its result.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (Hub, TestWeb) -> Result) -> Result {
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
        guard done.wait(timeout: .now() + 60) == .success else { fatalError("the server's loop has not turned for 60 s") }
        return result.value.withLock { $0! }
    }

    /// Waits until a condition holds on the loop.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable (Hub, TestWeb) -> Bool) -> Bool {
        waitUntil("it holds on the server's loop", every: 5, sourceLocation: sourceLocation) { perform(body) }
    }
}

/// Lets several closures share one noncopyable value.
final class Holder<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}
