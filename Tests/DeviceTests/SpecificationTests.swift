import Testing

@testable import Device

@Suite struct SpecificationTests {
    @Test(arguments: [
        ("timer", DeviceSpecification.timer), ("alsa:default", .alsa("default")), ("alsa:hw:1,0", .alsa("hw:1,0")),
        ("file:/tmp/a:b.wav", .file("/tmp/a:b.wav")), ("jack", .jack(client: "vestibule")), ("jack:hall", .jack(client: "hall")),
    ])
    func isReadAndWritten(text: String, specification: DeviceSpecification) throws {
        #expect(try DeviceSpecification(text) == specification)
        #expect(specification.description == text)
    }

    @Test(arguments: ["", "alsa", "alsa:", "file:", "timer:1", "Timer", "jack:", "jacks"])
    func unknownDevicesAreRefusedWithAListOfKnownOnes(text: String) {
        let error = #expect(throws: DeviceError.self) { try DeviceSpecification(text) }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("There is no device \"\(text)\". Known devices: timer, jack[:CLIENT], file:PATH"))
        #expect(DeviceSpecification.known().contains("alsa:null"))
    }

    @Test func numbersHaveRanges() throws {
        #expect(try DeviceFormat(rate: 48_000, period: 256).periods == 2)
        #expect(try DeviceFormat(rate: 48_000, period: 256).blockDuration == 5_333_333)
        let short = #expect(throws: DeviceError.self) { try DeviceFormat(rate: 48_000, period: 8) }
        #expect(short?.description == "A period of 8 frames is outside 16 to 8192.")
        let fast = #expect(throws: DeviceError.self) { try DeviceFormat(rate: 1_000_000, period: 64) }
        #expect(fast?.description == "A rate of 1000000 frames per second is outside 8000 to 192000.")
        let lone = #expect(throws: DeviceError.self) { try DeviceFormat(rate: 48_000, period: 64, periods: 1) }
        #expect(lone?.description == "A buffer of 1 periods is outside 2 to 64.")
    }

    @Test func theNamedDeviceIsOpened() throws {
        let format = try DeviceFormat(rate: 48_000, period: 256)
        let timer = try DeviceSpecification.timer.open(format) { _, _, _ in ProbeSink() }
        #expect(timer is TimerDevice)
        let file = try DeviceSpecification.file("x.wav").open(format) { _, _, _ in ProbeSink() }
        #expect(file is FileDevice)
        let nameless = try DeviceSpecification.file("/tmp/sound").open(format)
        let error = #expect(throws: DeviceError.self) { _ = try nameless.start(ProbeRenderer(ProbeLog())) { _ in } }
        #expect(error?.description.hasPrefix("/tmp/sound has no extension of a known kind") == true)
        let alsa = try DeviceSpecification.alsa("null").open(format) { _, _, _ in ProbeSink() }
        #expect(alsa is ALSADevice)
    }
}
