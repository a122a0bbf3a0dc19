import CBench
import Foundation

/// Counter of allocations, locks and system calls of the calling thread, which must not occur while rendering a block.
struct RealtimeCounter {
    private let countsSystemCalls = bench_count_system_calls() != 0
    private var allocations: UInt = 0
    private var locks: UInt = 0
    private var systemCalls: UInt = 0
    private var before: (allocations: UInt, locks: UInt, systemCalls: UInt) = (0, 0, 0)

    /// Starts counting; called directly before the block.
    mutating func begin() {
        before = (bench_allocations(), bench_locks(), bench_system_calls())
        if countsSystemCalls { bench_arm_system_calls(1) }
    }

    /// Stops counting; called directly after the block.
    mutating func end() {
        bench_arm_system_calls(0)
        allocations += bench_allocations() - before.allocations
        locks += bench_locks() - before.locks
        systemCalls += bench_system_calls() - before.systemCalls
    }

    func counts(blocks: Int) -> RealtimeCounts {
        RealtimeCounts(
            allocations: Double(allocations) / Double(blocks), locks: Double(locks) / Double(blocks),
            systemCalls: countsSystemCalls ? Double(systemCalls) / Double(blocks) : nil)
    }

    /// Counts an allocation, a lock and a system call made deliberately.
    /// - Returns: a sentence for each that went unnoticed.
    static func selfTest() -> [String] {
        var counter = RealtimeCounter()
        let lock = NSLock()
        counter.begin()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
        lock.lock()
        lock.unlock()
        _ = sched_yield()
        counter.end()
        memory.deallocate()
        let counts = counter.counts(blocks: 1)
        var problems: [String] = []
        if counts.allocations < 1 { problems.append("an allocation was not counted") }
        if counts.locks < 1 { problems.append("a lock was not counted") }
        if counts.systemCalls == 0 { problems.append("a system call was not counted") }
        return problems
    }
}
