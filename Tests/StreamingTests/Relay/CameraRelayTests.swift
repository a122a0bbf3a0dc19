import DSP
import Streaming
import Testing

@Suite struct CameraRelayTests {
    private func keys(_ rig: inout RelayRig) -> Int { rig.relay.takeEvents().count { $0 == .key(sender: 1) } }

    @Test func aKeyFrameIsAskedForOnceForAllWhoJoin() throws {
        var rig = RelayRig(6)
        try rig.offer(1)
        for peer in 2...6 { _ = try rig.start(peer, from: 1) }
        #expect(keys(&rig) == 1)
        try rig.send(1, .key)
        for peer in 2...6 { #expect(rig.relay.take(for: peer, now: 0) == 1) }
        // One who joins in between begins with the next key frame.
        rig.join(7)
        _ = try rig.start(7, from: 1)
        #expect(keys(&rig) == 1)
        try rig.send(1)
        #expect(rig.relay.take(for: 7, now: 0) == nil)
        #expect(rig.relay.take(for: 2, now: 0) == 2)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 7, now: 0) == 3)
    }

    @Test func aKeyFrameThatDoesNotComeIsAskedForAgain() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        _ = try rig.start(2, from: 1)
        #expect(keys(&rig) == 1)
        for time in stride(from: 20.0, through: 4000, by: 20) { rig.relay.tick(now: time) }
        #expect((2...4).contains(keys(&rig)))
    }

    @Test func framesOutOfOrderAreRefusedAndWhatFollowsWaitsForAKeyFrame() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        let link = try rig.start(2, from: 1)
        func push(_ kind: RelayFrame.Kind, _ number: UInt32) -> RelayRefusal.Kind? {
            let frame = RelayFrame(kind, codec: .vp8, number: number, width: 64, height: 64)
            return RelayRig.refusal { try rig.relay.push(1, frame, bytes: 100, now: 0) { number } }
        }
        #expect(push(.delta, 1) == .order)
        #expect(push(.key, 2) == nil)
        #expect(push(.delta, 3) == nil)
        #expect(push(.delta, 3) == .order)
        #expect(push(.delta, 2) == .order)
        #expect(push(.delta, 5) == .order)
        #expect(push(.delta, 6) == .order)
        #expect(push(.key, 7) == nil)
        #expect(push(.delta, 8) == nil)
        #expect(try rig.receive(2, link: link) == [2, 3, 7, 8])
    }

    @Test func anUnknownOrForeignCodecIsRefused() throws {
        var rig = RelayRig(1)
        rig.join(2, decodes: [])
        rig.join(3, decodes: [.vp8])
        try rig.offer(1)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == .codec)
        _ = try rig.start(3, from: 1)
        #expect(RelayRig.refusal { try rig.send(1, .key, codec: .h264) } == .codec)
    }

    /// H.264 while all have it; VP8 as soon as one does not.
    @Test func theCodecIsOneThatAllReceiversHave() throws {
        var rig = RelayRig(2)
        rig.join(3, decodes: [.vp8])
        try rig.relay.offer(1, RelayOffer(.camera, codecs: [.h264, .vp8], admission: .everyone), now: 0)
        _ = try rig.start(2, from: 1)
        func latest() -> RelayCodec?? {
            rig.relay.takeEvents().compactMap { if case .strategy(1, _, let codec) = $0 { codec } else { nil } }.last
        }
        #expect(latest() == .h264)
        let link = try rig.start(3, from: 1)
        #expect(latest() == .vp8)
        try rig.relay.stop(3, link: link)
        try rig.relay.offer(1, RelayOffer(.camera, codecs: [.h264], admission: .everyone), now: 0)
        #expect(RelayRig.refusal { _ = try rig.start(3, from: 1) } == .codec)
    }

    /// A receiver that takes nothing costs a bounded number of frames, and the others nothing at all.
    @Test func aReceiverThatTakesNothingIsBoundedAndDelaysNobody() throws {
        var rig = RelayRig(3)
        try rig.offer(1)
        _ = try rig.start(2, from: 1)
        let link = try rig.start(3, from: 1)
        try rig.send(1, .key)
        for frame in 1...2000 {
            #expect(try rig.receive(3, link: link).count == 1)
            let waiting = rig.relay.readings(of: 2, now: rig.now)[0].waiting
            #expect(waiting <= 12)
            rig.now += 40
            try rig.send(1, frame % 100 == 0 ? .key : .delta)
        }
        let readings = rig.relay.readings(of: nil, now: rig.now)
        #expect(readings[0].skipped > 1900 && readings[1].skipped == 0)
    }

    @Test func largeFramesAreBoundedByTheirBytes() throws {
        var bucket = FrameBucket<Int>()
        var longest = 0
        for number in 0..<100 {
            let kind: RelayFrame.Kind = number % 7 == 0 ? .key : .delta
            let frame = RelayFrame(kind, codec: .vp8, number: UInt32(number), width: 64, height: 64)
            _ = bucket.add(frame, number, bytes: 400_000, now: 0)
            longest = max(longest, bucket.count)
        }
        #expect(longest == 2)
    }

    @Test func aReceiverThatFallsBehindGoesOnWithTheNextKeyFrame() throws {
        var bucket = FrameBucket<UInt32>()
        func add(_ kind: RelayFrame.Kind, _ number: UInt32, now: Double = 0) -> Bool {
            bucket.add(RelayFrame(kind, codec: .vp8, number: number, width: 64, height: 64), number, bytes: 1000, now: now)
        }
        #expect(add(.delta, 0) == false && bucket.isEmpty)
        #expect(add(.key, 1) == false)
        for number in 2...12 { #expect(add(.delta, UInt32(number)) == false) }
        #expect(add(.delta, 13) == true && bucket.isEmpty && bucket.needsKey)
        #expect(add(.delta, 14) == false && bucket.isEmpty)
        #expect(add(.key, 15) == false)
        #expect(bucket.take()?.payload == 15)
        #expect(bucket.skipped == 15)
        // Pictures that have waited for too long are left out as well.
        #expect(add(.delta, 16) == false)
        #expect(add(.delta, 17, now: 401) == true && bucket.isEmpty)
    }

    @Test func receiptsThatCannotBeAreRefused() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        let link = try rig.start(2, from: 1)
        try rig.send(1, .key)
        _ = rig.relay.take(for: 2, now: 0)
        func note(_ frames: Int, _ late: Int = 0) -> RelayRefusal.Kind? {
            RelayRig.refusal { try rig.relay.note(2, RelayReceipt(link: link, frames: frames, late: late), now: 0) }
        }
        #expect(note(2) == .order)
        #expect(note(1, 2) == .order)
        #expect(note(1) == nil)
        #expect(note(0) == .order)
    }

    @Test func aPeerThatLeavesTakesItsLinksWithIt() throws {
        var rig = RelayRig(3)
        try rig.offer(1)
        try rig.offer(2)
        _ = try rig.start(2, from: 1)
        _ = try rig.start(3, from: 2)
        _ = rig.relay.takeEvents()
        rig.relay.leave(2)
        let events = rig.relay.takeEvents()
        #expect(events.contains(.closed(link: 1, sender: 1, receiver: 2, .left)))
        #expect(events.contains(.closed(link: 2, sender: 2, receiver: 3, .ended)))
        #expect(rig.relay.readings(of: nil, now: 0).isEmpty)
    }

    /// Anything in any order: what waits stays bounded, and nobody receives without an open link.
    @Test(arguments: 0..<20)
    func randomMessagesKeepTheRules(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var rig = RelayRig(4)
        for _ in 0..<3000 {
            rig.now += Double(Int.random(in: 0...30, using: &random))
            let (peer, other, link) = (
                Int.random(in: 1...5, using: &random), Int.random(in: 1...5, using: &random), Int.random(in: 1...20, using: &random)
            )
            _ = RelayRig.refusal {
                switch Int.random(in: 0..<13, using: &random) {
                case 0: try rig.offer(peer, RelayOffer.Admission.allCases.randomElement(using: &random) ?? .ask, named: ["connection 2"])
                case 1: if Int.random(in: 0..<8, using: &random) == 0 { try rig.relay.withdraw(peer) }
                case 2, 3: _ = try rig.start(peer, from: other)
                case 4: try rig.relay.admit(peer, link: link, now: rig.now)
                case 5: if Int.random(in: 0..<4, using: &random) == 0 { try rig.relay.stop(peer, link: link) }
                case 6: try rig.relay.askForKey(peer, link: link, now: rig.now)
                case 7: if Int.random(in: 0..<40, using: &random) == 0 { rig.relay.leave(peer) } else { rig.relay.tick(now: rig.now) }
                case 8: if Int.random(in: 0..<20, using: &random) == 0 { rig.join(peer) }
                case 9: try rig.send(peer, .key)
                default: try rig.send(peer)
                }
            }
            for reading in rig.relay.readings(of: nil, now: rig.now) { #expect(reading.waiting <= 40) }
            let isOpen = rig.relay.readings(of: other, now: rig.now).contains { $0.receiver == other && $0.isOpen }
            if rig.relay.take(for: other, now: rig.now) != nil { #expect(isOpen) }
        }
    }

    /// Codec and strategy are those of the receivers that are there.
    @Test func aReceiverThatLeavesNoLongerCounts() throws {
        var rig = RelayRig(3)
        rig.join(3, decodes: [.vp8])
        rig.join(2, decodes: [.vp8, .h264, .av1])
        try rig.relay.offer(1, RelayOffer(.camera, codecs: [.av1, .vp8], admission: .everyone), now: 0)
        func told() -> (codec: RelayCodec?, bitrate: Int)? {
            var latest: (codec: RelayCodec?, bitrate: Int)?
            for case .strategy(1, let strategy, let codec) in rig.relay.takeEvents() { latest = (codec, strategy.bitrate) }
            return latest
        }
        _ = try rig.start(2, from: 1)
        let alone = told()
        #expect(alone?.codec == .av1)
        let link = try rig.start(3, from: 1)
        let together = told()
        #expect(together?.codec == .vp8)
        // Its network carries nothing.
        try rig.send(1, .key)
        _ = rig.relay.take(for: 3, now: rig.now)
        rig.now = 5000
        rig.relay.tick(now: rig.now)
        let slow = told()
        #expect((slow?.bitrate ?? .max) < 1_000_000)
        try rig.relay.stop(3, link: link)
        let after = told()
        #expect(after?.codec == .av1 && after?.bitrate == 1_000_000)
        // Nobody is told after the last one.
        rig.relay.leave(2)
        let isTold = told() != nil
        #expect(!isTold)
    }

    /// Nobody asks again soon whom the sender has refused, unless it no longer wants to be asked.
    @Test func aRefusalEndsWithItsQuestion() throws {
        var rig = RelayRig(2)
        try rig.offer(1, .ask)
        try rig.relay.deny(1, link: rig.start(2, from: 1), now: rig.now)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == .permission)
        try rig.offer(1, .everyone)
        let start = try rig.relay.start(2, from: 1, now: rig.now)
        guard case .opened = start else { return #expect(Bool(false), "\(start)") }
    }

    /// A receiver of sound alone asks nothing of the encoder of pictures, and cannot exclude a codec.
    @Test func aReceiverOfSoundGetsNoPictures() throws {
        var rig = RelayRig(2)
        rig.relay.join(9, identity: "ear", isPaired: true, name: "Ear", decodes: [], takesPictures: false)
        try rig.offer(1)
        #expect(RelayRig.refusal { _ = try rig.start(9, from: 1) } == .codec)
        try rig.relay.offer(1, RelayOffer(.camera, hasSound: true, admission: .everyone), now: 0)
        _ = rig.relay.takeEvents()
        let link = try rig.start(9, from: 1)
        let events = rig.relay.takeEvents()
        #expect(!events.contains(.key(sender: 1)))
        try rig.send(1, .key)
        try rig.relay.push(1, RelayFrame(.sound, codec: .opus, number: 1), bytes: 50, now: 0) { 77 }
        let received = try rig.receive(9, link: link)
        #expect(received == [77])
        _ = try rig.start(2, from: 1)
        let later = rig.relay.takeEvents()
        #expect(later.contains(.key(sender: 1)))
        #expect(rig.relay.roster.first { $0.peer == 9 }?.senders == [1])
    }
}
