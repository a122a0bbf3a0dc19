import Testing

@testable import Device

@Suite struct OutputTests {
    @Test(arguments: [("1,2", 1, 2), ("4,3", 4, 3), ("127, 128", 127, 128)]) func pairsAreReadAndWritten(
        text: String, left: Int, right: Int
    ) throws {
        let pair = try ChannelPair(text)
        #expect((pair.left, pair.right) == (left, right))
        #expect(try ChannelPair(pair.description) == pair)
    }

    @Test(arguments: ["", "1", "1,", ",2", "0,1", "1,1", "1,2,3", "1;2", "128,129", "a,b", "-1,2", "99999999999999999999,1"])
    func otherTextsAreRefusedWithTheNotation(text: String) {
        let error = #expect(throws: DeviceError.self) { try ChannelPair(text) }
        #expect(error?.description.hasPrefix("\"\(text)\" is not a pair of channels: give two different numbers from 1 to 128") == true)
    }

    @Test func theFirstListenerIsInStereoUnlessItsChannelsAreTaken() throws {
        #expect(try OutputRoutes(listeners: 2, [:])[0] == ChannelPair("1,2"))
        #expect(try OutputRoutes(listeners: 2, [1: ChannelPair("3,4")])[0] == ChannelPair("1,2"))
        let taken = try OutputRoutes(listeners: 2, [1: ChannelPair("2,3")])
        #expect(taken[0] == nil && taken.channels == 3)
        #expect(try OutputRoutes(listeners: 2, [0: ChannelPair("7,8")])[0] == ChannelPair("7,8"))
        #expect(OutputRoutes(listeners: 1).channels == 2)
    }

    @Test func noTwoListenersShareAChannel() throws {
        let shared = #expect(throws: DeviceError.self) {
            try OutputRoutes(listeners: 2, [0: ChannelPair("3,4"), 1: ChannelPair("4,5")])
        }
        #expect(shared?.description.hasPrefix("Channels 4,5 are not free: listener 1 is played on 3,4. Free: ") == true)
        let third = #expect(throws: DeviceError.self) { try OutputRoutes(listeners: 2, [2: ChannelPair("1,2")]) }
        #expect(
            third?.description
                == "There is no listener 3 to play on channels 1,2: the listeners are 1 to 2. Start the engine with more --listeners."
        )
        let routes = try OutputRoutes(listeners: 3, [1: ChannelPair("3,4")])
        let many = #expect(throws: DeviceError.self) { try routes.set(2, ChannelPair("7,8"), channels: 6) }
        #expect(many?.description == "Channels 7,8 do not exist: the device has 6. Free: 5,6.")
        #expect(routes[2] == nil)
        try routes.set(1, nil, channels: 6)
        try routes.set(2, ChannelPair("4,3"), channels: 6)
        #expect(routes[2] == ChannelPair(left: 4, right: 3))
    }

    /// Ears with the value 10 n + 1 on the left and 10 n + 2 on the right, for listener n.
    private func ears(_ listeners: Int, frames: Int) -> EarBuffers {
        let ears = EarBuffers(frames: frames, listeners: listeners)
        for listener in 0..<listeners {
            ears.row(2 * listener).update(repeating: Float(10 * listener + 1), count: frames)
            ears.row(2 * listener + 1).update(repeating: Float(10 * listener + 2), count: frames)
        }
        return ears
    }

    private func block(_ mixer: borrowing OutputMixer, frames: Int) -> [[Float]] {
        (0..<mixer.channels).map { channel in (0..<frames).map { mixer.rows[channel * 8 + $0] } }
    }

    @Test func earsArePlayedOnTheirChannels() throws {
        let routes = try OutputRoutes(listeners: 3, [0: ChannelPair("2,1"), 2: ChannelPair("4,6")])
        var mixer = OutputMixer(routes, channels: 6, frames: 8)
        mixer.fill(from: ears(3, frames: 8), frames: 5)
        let expected: [Float] = [2, 1, 0, 21, 0, 22]
        #expect(block(mixer, frames: 5) == expected.map { .init(repeating: $0, count: 5) })
    }

    @Test func aChangeFadesOutThenIn() throws {
        let routes = OutputRoutes(listeners: 1)
        var mixer = OutputMixer(routes, channels: 4, frames: 8)
        let ears = ears(1, frames: 8)
        mixer.fill(from: ears, frames: 4)
        try routes.set(0, ChannelPair("3,4"), channels: 4)
        mixer.fill(from: ears, frames: 4)
        #expect(block(mixer, frames: 4) == [[0.75, 0.5, 0.25, 0], [1.5, 1, 0.5, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
        mixer.fill(from: ears, frames: 4)
        #expect(block(mixer, frames: 4) == [[0, 0, 0, 0], [0, 0, 0, 0], [0.25, 0.5, 0.75, 1], [0.5, 1, 1.5, 2]])
        mixer.fill(from: ears, frames: 4)
        #expect(block(mixer, frames: 4)[3] == [2, 2, 2, 2])
    }

    @Test func aSharedChannelMeetsInNoBlock() throws {
        // Both listeners change at once: the channels that one leaves are taken by the other in the next block.
        let routes = try OutputRoutes(listeners: 2, [0: ChannelPair("1,2"), 1: ChannelPair("3,4")])
        var mixer = OutputMixer(routes, channels: 4, frames: 8)
        let ears = ears(2, frames: 8)
        mixer.fill(from: ears, frames: 4)
        try routes.set(1, nil, channels: 4)
        try routes.set(0, ChannelPair("3,4"), channels: 4)
        mixer.fill(from: ears, frames: 4)
        #expect(block(mixer, frames: 4)[2] == [8.25, 5.5, 2.75, 0])
        mixer.fill(from: ears, frames: 4)
        #expect(block(mixer, frames: 4)[2] == [0.25, 0.5, 0.75, 1])
    }
}
