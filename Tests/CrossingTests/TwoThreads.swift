import Foundation

/// Runs `other` on a second thread while `body` runs on this one. Threads rather than tasks: two busy loops in Swift
/// tasks block each other on a machine with few cores. Where one waits for the other in vain, the process ends after two minutes.
func withThread(_ other: @escaping @Sendable () -> Void, _ body: () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let limit = DispatchWorkItem { fatalError("a thread still waits for what the other should have sent") }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: limit)
    defer { limit.cancel() }
    Thread {
        other()
        done.signal()
    }.start()
    body()
    done.wait()
}

/// Carries a noncopyable value into a closure that runs once.
final class Box<T: ~Copyable & Sendable>: @unchecked Sendable {
    // SAFETY: written by `init`, emptied by the one thread that takes it.
    private var value: T?
    init(_ value: consuming T) { self.value = consume value }
    func take() -> T { value.take()! }
}
