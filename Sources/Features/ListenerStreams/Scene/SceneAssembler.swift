internal import DSP
internal import Media

/// Collects the blocks of a scene into the packets of one profile: `protocol/scene-stream.md` describes them.
struct SceneAssembler {
    /// Length in bytes of the header.
    static let headBytes = 24
    /// Objects of a packet at most: 80, and the 16 directions of sound from all around. Clients are informed when an engine has more.
    static let mostObjects = 96
    /// Frames over which a recording with another number of microphones fades in, in the first packet after the change.
    private static let fade = 240

    private struct Object {
        var track: SceneTrack
        var direction: SIMD3<Float>
        /// Packets in a row without this object.
        var absent = 0
    }

    private let profile: SceneProfile
    private let frames: Int
    private let pass: (ScenePacket) -> Void
    private var number: UInt32 = 0
    private var start: Int64 = 0
    private var filled = 0
    private var array: UInt32 = 0
    private var microphones: [SceneTrack] = []
    private var input: [SceneTrack] = []
    private var objects: [Int: Object] = [:]
    /// Whether the microphones have changed within the packet, whose rest is silent.
    private var isCut = false
    private var fadesIn = false

    init(_ profile: SceneProfile, pass: @escaping (ScenePacket) -> Void) {
        self.profile = profile
        self.pass = pass
        frames = Opus.rate * SceneProfile.milliseconds / 1000
    }

    /// Adds a block, and passes on each packet that it completes.
    /// - Parameter array: number of the array's description.
    mutating func add(_ block: SceneFrames, array: UInt32) {
        if filled > 0, block.sample != start + Int64(filled) { skip() }
        var used = 0
        while used < block.frames {
            if filled == 0 { begin(block, array, at: used) }
            let count = min(block.frames - used, frames - filled)
            add(block, from: used, count)
            used += count
            filled += count
            if filled == frames { finish() }
        }
    }

    /// Leaves out an incomplete packet where frames are missing; the next number shows the gap.
    mutating func skip() {
        for i in microphones.indices { microphones[i].clear() }
        for i in input.indices { input[i].clear() }
        for number in objects.keys { objects[number]?.track.clear() }
        filled = 0
        number &+= 1
    }

    private mutating func begin(_ block: SceneFrames, _ array: UInt32, at offset: Int) {
        start = block.sample + Int64(offset)
        self.array = array
        isCut = false
        if microphones.count != block.channels {
            microphones = tracks(block.channels)
            fadesIn = number > 0
        }
        if block.input.count != input.count { input = tracks(block.input.count) }
    }

    private func tracks(_ count: Int) -> [SceneTrack] {
        (0..<count).compactMap { _ in SceneTrack(bitrate: profile.bitrate, frames: frames) }
    }

    private mutating func add(_ block: SceneFrames, from offset: Int, _ count: Int) {
        if block.channels != microphones.count { isCut = true }
        if !isCut {
            block.microphones.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                for channel in microphones.indices {
                    microphones[channel].add(base + offset * block.channels + channel, stride: block.channels, count: count)
                }
            }
        }
        for side in input.indices where side < block.input.count {
            block.input[side].withUnsafeBufferPointer { input[side].add($0.baseAddress! + offset, stride: 1, count: count) }
        }
        for object in block.objects {
            if objects[object.number] == nil {
                guard objects.count < Self.mostObjects, let track = SceneTrack(bitrate: profile.bitrate, frames: frames) else { continue }
                objects[object.number] = Object(track: track, direction: object.direction)
            }
            objects[object.number]?.direction = object.direction
            objects[object.number]?.absent = 0
            objects[object.number]?.track.pad(to: filled)
            object.sound.withUnsafeBufferPointer {
                objects[object.number]?.track.add($0.baseAddress! + offset, stride: 1, count: count)
            }
        }
    }

    private mutating func finish() {
        for i in microphones.indices {
            microphones[i].pad(to: frames)
            if fadesIn { microphones[i].fadeIn(Self.fade) }
        }
        fadesIn = false
        for i in input.indices { input[i].pad(to: frames) }
        pass(.sound(profile, end: start + Int64(frames), channels: microphones.count + input.count + objects.count, bytes: packet()))
        filled = 0
        number &+= 1
    }

    private mutating func packet() -> [UInt8] {
        var bytes: [UInt8] = []
        let audible = objects.keys.sorted()
        bytes.reserveCapacity(Self.headBytes + (microphones.count + input.count + audible.count) * (profile.bitrate / 150))
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        add(number)
        add(UInt32(frames))
        add(UInt64(bitPattern: start))
        add(array)
        bytes += [UInt8(microphones.count), UInt8(input.count), UInt8(audible.count), 0]
        for i in microphones.indices { microphones[i].encode(into: &bytes) }
        for i in input.indices { input[i].encode(into: &bytes) }
        for number in audible {
            guard var object = objects[number] else { continue }
            object.track.pad(to: frames)
            add(UInt16(truncatingIfNeeded: number))
            for axis in 0..<3 { add(object.direction[axis].bitPattern) }
            object.track.encode(into: &bytes)
            object.absent += 1
            // Two packets have held the tail of the codec.
            objects[number] = object.absent > 2 ? nil : object
        }
        return bytes
    }
}

/// One channel of a scene on its way into packets: a microphone, a side of the live input, or an object.
struct SceneTrack {
    /// Factor that leaves room for signals above full scale.
    static let scale: Float = 0.25

    private let encoder: OpusPacketEncoder
    private(set) var samples: [Float] = []

    /// - Returns: nil when the library refuses.
    init?(bitrate: Int, frames: Int) {
        guard let encoder = OpusPacketEncoder(bitrate: bitrate, channels: 1) else { return nil }
        self.encoder = encoder
        samples.reserveCapacity(frames)
    }

    /// Adds every `stride`th of the samples.
    mutating func add(_ source: UnsafePointer<Float>, stride: Int, count: Int) {
        for frame in 0..<count { samples.append(Self.scale * source[frame * stride]) }
    }

    /// Adds silence up to a number of frames.
    mutating func pad(to frames: Int) {
        if samples.count < frames { samples.append(contentsOf: repeatElement(0, count: frames - samples.count)) }
    }

    /// Fades the sound so far in.
    mutating func fadeIn(_ frames: Int) {
        samples.withUnsafeMutableBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            Ramp(from: 0, to: 1, frames: frames).scale(first, frames: min(frames, samples.count))
        }
    }

    mutating func clear() { samples.removeAll(keepingCapacity: true) }

    /// Appends the length in bytes of the encoded sound, 16 bits, and that sound, and begins the next packet.
    mutating func encode(into bytes: inout [UInt8]) {
        let place = bytes.count
        bytes += [0, 0]
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        let length = bytes.count - place - 2
        (bytes[place], bytes[place + 1]) = (UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8))
        clear()
    }
}
