internal import CServiceBus
internal import Dispatch
internal import Glibc
internal import Synchronization
public import Threads

/// Announces services on the local network through Avahi, on a thread named "announcer".
///
/// A separate responder in this program would share UDP port 5353 with Avahi and lose replies. Without Avahi nothing is
/// announced, and everything else works.
public final class Announcer: Sendable {
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let services: [AnnouncedService]
    private let report: @Sendable (String) -> Void
    /// Milliseconds between two checks whether the thread has to end.
    private static let interval: Int32 = 250
    private static let mostRenames = 16

    /// - Parameters:
    ///   - name: shown in lists of services; another one is chosen when it is already in use.
    ///   - report: receives the result in words, on the thread.
    /// - Throws: ``ThreadError`` when the system does not allow the thread.
    public init(name: String, services: [AnnouncedService], report: @escaping @Sendable (String) -> Void) throws(ThreadError) {
        self.services = services
        self.report = report
        _ = try ProgramThread("announcer") { [self] in
            run(name)
            ended.signal()
        }
    }

    /// Withdraws the announcements.
    public func stop() {
        isStopped.store(true, ordering: .releasing)
        ended.wait()
    }

    private func run(_ wanted: String) {
        var problem: Int32 = 0
        guard let bus = service_bus_open(&problem) else {
            return report("services are not announced by mDNS: there is no system bus (\(Self.words(problem))); clients need the address")
        }
        defer { service_bus_close(bus) }
        var (name, renames) = (wanted, 0)
        announce(bus, name)
        while !isStopped.load(ordering: .acquiring) {
            let seen = service_bus_step(bus, Self.interval)
            if seen < 0 { return report("services are no longer announced by mDNS: the system bus is gone (\(Self.words(seen)))") }
            if seen & Int32(SERVICE_BUS_GONE) != 0, seen & Int32(SERVICE_BUS_ARRIVED) == 0 {
                report("services are no longer announced by mDNS: Avahi has ended")
            }
            if seen & Int32(SERVICE_BUS_ARRIVED) != 0 { announce(bus, name) }
            if seen & Int32(SERVICE_BUS_FAILED) != 0 { report("Avahi could not announce \(name)") }
            if seen & Int32(SERVICE_BUS_COLLISION) != 0, renames < Self.mostRenames {
                renames += 1
                name = alternative(bus, name)
                announce(bus, name)
            } else if seen & Int32(SERVICE_BUS_ESTABLISHED) != 0 {
                report("services are announced by mDNS as \(name)")
            }
        }
    }

    private func announce(_ bus: OpaquePointer, _ name: String) {
        let result = Entries(services).with { service_bus_announce(bus, name, $0.baseAddress, Int32($0.count)) }
        if result < 0 {
            report("services are not announced by mDNS: Avahi does not answer (\(Self.words(result))); clients need the address")
        }
    }

    private func alternative(_ bus: OpaquePointer, _ name: String) -> String {
        var text = [CChar](repeating: 0, count: 256)
        guard service_bus_alternative(bus, name, &text, Int32(text.count)) == 0 else { return name + " 2" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func words(_ negated: Int32) -> String { String(cString: strerror(-negated)) }
}

/// A service announced by DNS-SD.
public struct AnnouncedService: Sendable, Equatable {
    /// DNS-SD type, for example `_osc._udp`.
    public let type: String
    public let port: Int
    /// Lines of the form `key=value`.
    public let text: [String]

    public init(type: String, port: Int, text: [String] = []) {
        self.type = type
        self.port = port
        self.text = text
    }
}

/// Services in the form of the C interface, for the duration of a call.
struct Entries {
    private let services: [AnnouncedService]

    init(_ services: [AnnouncedService]) { self.services = services }

    func with<Result>(_ body: (UnsafeBufferPointer<service_entry>) -> Result) -> Result {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []
        defer {
            for text in texts { free(text) }
            for list in lists { list.deallocate() }
        }
        let entries = services.map { service in
            let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: max(1, service.text.count))
            lists.append(list)
            for (index, line) in service.text.enumerated() {
                texts.append(strdup(line))
                list[index] = UnsafePointer(texts.last!)
            }
            texts.append(strdup(service.type))
            return service_entry(
                type: UnsafePointer(texts.last!), port: UInt16(clamping: service.port), text: UnsafePointer(list),
                text_count: Int32(service.text.count))
        }
        return entries.withUnsafeBufferPointer(body)
    }
}
