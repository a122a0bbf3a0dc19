/// The bytes of an input, read as the choices of steps. Past their end, every choice is the first.
struct StepReader {
    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// - Parameter count: of the choices, 1 or more.
    mutating func choice(_ count: Int) -> Int {
        let low = Int(byte())
        return (count > 256 ? low << 8 | Int(byte()) : low) % count
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[choice(values.count)] }

    mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }
}
