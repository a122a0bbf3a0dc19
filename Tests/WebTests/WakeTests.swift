import Synchronization
import Testing
import Web

@Suite struct WakeTests {
    private final class Count: Sendable { let value = Atomic(0) }

    /// The library tells each of the server's protocols of a wake.
    @Test func aWakeIsServedOnce() throws {
        let count = Count()
        let server = try TestServer { _, server in
            let before = server.loop.onWake
            server.loop.onWake = {
                count.value.add(1, ordering: .relaxed)
                before()
            }
        }
        // Each call waits for one wake.
        for call in 1...20 {
            server.perform { _, _ in }
            #expect(count.value.load(ordering: .relaxed) == call)
        }
    }
}
