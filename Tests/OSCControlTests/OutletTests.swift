import Hub
import OSCControl
import Parameters
import Synchronization
import TestSupport
import Testing

/// Messages of cues to other programs.
@Suite struct OutletTests {
    final class Reports: Sendable {
        let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "255.255.255.255", "224.0.0.1", "239.255.0.7", "240.0.0.1", "::", "ff02::1", "ff05::fb", "::ffff:224.0.0.1",
        "::ffff:0.0.0.0", "::ffff:255.255.255.255", "64:ff9b::e000:1", "127.255.255.255",
        // Other ways to write an IPv4 address, which pass for names.
        "0", "224.1", "0xe0.0.0.1", "4294967295",
    ])
    func addressesOfSeveralHostsAreRefused(host: String) {
        let reports = Reports()
        let outlet = OSCOutlet { reports.add($0) }
        outlet.send("/go", [.int(1)], to: host, port: 9)
        waitUntil("the message to \(host) is refused") { !reports.all.isEmpty }
        #expect(reports.all.count == 1 && reports.all[0].contains("\(host) is the address of several hosts or of none"), "\(reports.all)")
    }
}
