import CRealtime
import Crossing
import Hub
import Parameters
import Tracking

@testable import OSCControl
@testable import Trackers

/// What libFuzzer calls: bytes as a tracker's datagrams, as OSC messages of its own addresses, as serial lines and as MIDI. Whatever
/// comes, no head gets a pose that is not a unit quaternion of finite numbers.
func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data, count > 3 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: count)
    var victim = FuzzedTracker(Int(bytes[0]) % FuzzedTracker.count, settings: bytes[1])
    let rest = UnsafeRawBufferPointer(rebasing: bytes[3...])
    switch bytes[2] % 4 {
    case 0: victim.take(datagrams: rest)
    case 1: victim.take(messages: rest)
    case 2: victim.take(stream: rest)
    default: victim.take(quaternions: rest)
    }
    return 0
}

/// libFuzzer's main function by another name: the package gives its own to every program.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

@main
enum FuzzTrackers {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = runFuzzer(&count, &arguments) { testOneInput($0, $1) }
    }
}
