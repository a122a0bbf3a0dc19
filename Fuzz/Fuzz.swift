import Glibc

/// libFuzzer's way in. FUZZ_TARGET says which target: osc, json, http or session.
// SAFETY: libFuzzer calls from one thread.
nonisolated(unsafe) private var target: any FuzzTarget = {
    switch getenv("FUZZ_TARGET").map({ String(cString: $0) }) {
    case "osc": OSCFuzz()
    case "json": JSONFuzz()
    case "http": HTTPFuzz()
    case "session": SessionFuzz()
    default: fatalError("FUZZ_TARGET is osc, json, http or session")
    }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func takeOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    target.take(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
