import Foundation

/// Ends the process when a step does not end on the control thread, or when inputs leave memory behind.
final class ControlGuard {
    /// Nanoseconds of its own time after which a step counts as endless: a hundred times what the slowest ones take.
    private static let endless: UInt64 = 5_000_000_000
    /// Bytes that an input may leave behind, in the mean of ``repeats``.
    private static let mostGrowth = 16_384
    /// Repetitions of an input to watch the memory, and how often they have to leave memory behind.
    private static let repeats = 32
    private static let rounds = 4
    /// For how long they have to do so: threads that the machine has stalled free what they keep when they run again.
    private static let patience = Duration.seconds(40)
    /// Inputs between two looks at the memory.
    private static let interval = 500

    private(set) var longest: UInt64 = 0
    private(set) var steps = 0
    private var inputs = 0
    private var watched = 0

    private static var ownTime: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    /// Resident memory, bytes.
    private static var resident: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return pages.count > 1 ? (Int(pages[1]) ?? 0) * Int(getpagesize()) : 0
    }

    /// - Parameter words: of the step, for the report.
    func measure(_ words: @autoclosure () -> String, _ body: () -> Void) {
        let begin = Self.ownTime
        body()
        let spent = Self.ownTime - begin
        steps += 1
        longest = max(longest, spent)
        if spent > Self.endless { fatalError("\(spent / 1_000_000) ms on the control thread: \(words())") }
    }

    /// Notes the end of an input.
    func noteInput() { inputs += 1 }

    /// Whether enough inputs have passed since the memory was watched.
    var isTimeForMemory: Bool { inputs - watched >= Self.interval }

    /// Repeats an input, when nothing that it made is there any more, and stops the program when each time leaves memory behind.
    ///
    /// Threads that finish their work late, and the allocator, let the memory vary: it has to grow in every round.
    func watchMemory(_ input: UnsafeRawBufferPointer, _ body: () -> Void) {
        // A first round makes what stays, and uses pages again that were freed.
        var (round, growth) = (0, 0)
        let end = ContinuousClock.now + Self.patience
        while true {
            let before = Self.resident
            for _ in 0..<Self.repeats { body() }
            growth = (Self.resident - before) / Self.repeats
            if round > 0, growth <= Self.mostGrowth { break }
            if round >= Self.rounds, ContinuousClock.now > end {
                fatalError("every repetition of an input leaves \(growth) bytes behind: \(Data(input).base64EncodedString())")
            }
            round += 1
        }
        watched = inputs
        let report = "\(inputs) inputs, \(steps) steps, longest \(longest / 1000) us, an input leaves \(growth) bytes behind\n"
        FileHandle.standardError.write(Data(report.utf8))
    }
}
