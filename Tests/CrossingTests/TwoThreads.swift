import Foundation

/// Runs `other` on a thread of its own while `body` runs here. Real threads: two busy loops
/// inside Swift tasks starve each other on a small machine.
func withThread(_ other: @escaping @Sendable () -> Void, _ body: () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread {
        other()
        done.signal()
    }.start()
    body()
    done.wait()
}

/// Carries a value that cannot be copied into a closure that runs once.
final class Box<T: ~Copyable & Sendable>: @unchecked Sendable {
    // SAFETY: written by `init`, emptied by the one thread that takes it.
    private var value: T?
    init(_ value: consuming T) { self.value = consume value }
    func take() -> T { value.take()! }
}
