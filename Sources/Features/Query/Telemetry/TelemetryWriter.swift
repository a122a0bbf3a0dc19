/// Numbers of a binary frame, one after the other, little-endian.
package struct TelemetryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ value: Float) { add(value.bitPattern) }

    mutating func add(_ values: [Float]) { for value in values { add(value) } }
}
