internal import CServiceBus
internal import Foundation
internal import Synchronization

/// Announces services on the local network through Avahi, on a thread of its own.
///
/// Another responder beside Avahi would share UDP port 5353 with it, and lose answers; without Avahi nothing is
/// announced, and everything else works.
public final class Announcer: Sendable {
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let services: [AnnouncedService]
    private let report: @Sendable (String) -> Void
    /// How long the thread waits before it looks whether it has to end, in milliseconds.
    private static let interval: Int32 = 250
    private static let mostRenames = 16

    /// - Parameters:
    ///   - name: what people see in their lists; another one is taken when somebody else has it.
    ///   - report: told what became of it in words, on the thread.
    public init(name: String, services: [AnnouncedService], report: @escaping @Sendable (String) -> Void) {
        self.services = services
        self.report = report
        Thread.detachNewThread { [self] in
            run(name)
            ended.signal()
        }
    }

    /// Takes everything back.
    public func stop() {
        isStopped.store(true, ordering: .releasing)
        ended.wait()
    }

    private func run(_ wanted: String) {
        var problem: Int32 = 0
        guard let bus = service_bus_open(&problem) else {
            return report("not announced by mDNS, there is no system bus (\(Self.words(problem))); clients need the address")
        }
        defer { service_bus_close(bus) }
        var (name, renames) = (wanted, 0)
        announce(bus, name)
        while !isStopped.load(ordering: .acquiring) {
            let seen = service_bus_step(bus, Self.interval)
            if seen < 0 { return report("not announced by mDNS any more, the system bus is gone (\(Self.words(seen)))") }
            if seen & Int32(SERVICE_BUS_GONE) != 0, seen & Int32(SERVICE_BUS_ARRIVED) == 0 {
                report("not announced by mDNS any more, Avahi has ended")
            }
            if seen & Int32(SERVICE_BUS_ARRIVED) != 0 { announce(bus, name) }
            if seen & Int32(SERVICE_BUS_FAILED) != 0 { report("Avahi could not announce \(name)") }
            if seen & Int32(SERVICE_BUS_COLLISION) != 0, renames < Self.mostRenames {
                renames += 1
                name = alternative(bus, name)
                announce(bus, name)
            } else if seen & Int32(SERVICE_BUS_ESTABLISHED) != 0 {
                report("announced by mDNS as \(name)")
            }
        }
    }

    private func announce(_ bus: OpaquePointer, _ name: String) {
        let result = Entries(services).with { service_bus_announce(bus, name, $0.baseAddress, Int32($0.count)) }
        if result < 0 { report("not announced by mDNS, Avahi does not answer (\(Self.words(result))); clients need the address") }
    }

    private func alternative(_ bus: OpaquePointer, _ name: String) -> String {
        var text = [CChar](repeating: 0, count: 256)
        guard service_bus_alternative(bus, name, &text, Int32(text.count)) == 0 else { return name + " 2" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func words(_ negated: Int32) -> String { String(cString: strerror(-negated)) }
}
