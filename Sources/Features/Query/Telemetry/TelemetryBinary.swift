/// A telemetry frame as bytes; protocol/telemetry.md has the table.
enum TelemetryBinary {
    static func bytes(_ frame: TelemetryFrame, code: UInt8) -> [UInt8] {
        var writer = TelemetryWriter()
        writer.add(UInt8(1))
        writer.add(code)
        writer.add(UInt16(frame.isSnapshot ? 1 : 0) | UInt16(frame.isMerged ? 2 : 0))
        writer.add(frame.sequence)
        writer.add(frame.time)
        frame.content.write(to: &writer)
        return writer.bytes
    }
}
