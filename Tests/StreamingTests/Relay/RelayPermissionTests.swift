import Streaming
import Testing

/// One test for each way in which a peer may try to receive without permission.
@Suite struct RelayPermissionTests {
    @Test func nothingPassesBeforeTheSenderHasAnswered() throws {
        var rig = RelayRig(2)
        try rig.offer(1, .ask)
        let link = try rig.start(2, from: 1)
        try rig.send(1, .key)
        #expect(rig.relay.hasFrame(for: 2) == false)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        try rig.relay.admit(1, link: link, now: 0)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 2, now: 0) == 2)
    }

    @Test func aReceiverCannotAdmitItself() throws {
        var rig = RelayRig(3)
        try rig.offer(1, .ask)
        let link = try rig.start(2, from: 1)
        for peer in [2, 3] {
            #expect(RelayRig.refusal { try rig.relay.admit(peer, link: link, now: 0) } == .foreign)
        }
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
    }

    @Test func aReceiverThatAsksForAKeyFrameOrConfirmsIsNotAdmitted() throws {
        var rig = RelayRig(2)
        try rig.offer(1, .ask)
        let link = try rig.start(2, from: 1)
        #expect(RelayRig.refusal { try rig.relay.askForKey(2, link: link, now: 0) } == .permission)
        #expect(RelayRig.refusal { try rig.relay.note(2, RelayReceipt(link: link, frames: 0), now: 0) } == .permission)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
    }

    @Test func startingAgainAndAgainDoesNotOpenTheLink() throws {
        var rig = RelayRig(2)
        try rig.offer(1, .ask)
        let links = try (0..<5).map { _ in try rig.start(2, from: 1) }
        #expect(Set(links).count == 1)
        #expect(rig.relay.takeEvents().count { if case .asked = $0 { true } else { false } } == 1)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
    }

    @Test func aDeniedPeerHasToWaitAlsoOnAnotherConnection() throws {
        var rig = RelayRig(1)
        rig.join(2, identity: "abc", isPaired: true)
        try rig.offer(1, .ask)
        let link = try rig.start(2, from: 1)
        try rig.relay.deny(1, link: link, now: 0)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == .permission)
        rig.relay.leave(2)
        rig.join(3, identity: "abc", isPaired: true)
        #expect(RelayRig.refusal { _ = try rig.start(3, from: 1) } == .permission)
        rig.now = 10_001
        #expect(RelayRig.refusal { _ = try rig.start(3, from: 1) } == nil)
    }

    /// The link keeps its number, and both ends continue counting.
    @Test func aLinkThatIsAskedAboutAgainGoesOnOnceItIsAllowed() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        let link = try rig.start(2, from: 1)
        try rig.send(1, .key)
        #expect(try rig.receive(2, link: link) == [1])
        // A picture that is on its way while the sender changes its mind.
        try rig.send(1)
        #expect(rig.relay.take(for: 2, now: 0) == 2)
        try rig.offer(1, .ask)
        // Its receipt may come before the answer, and lets nothing pass.
        try rig.relay.note(2, RelayReceipt(link: link, frames: 2), now: 0)
        #expect(RelayRig.refusal { try rig.relay.note(2, RelayReceipt(link: link, frames: 3), now: 0) } == .order)
        try rig.send(1)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        try rig.relay.admit(1, link: link, now: 0)
        try rig.relay.note(2, RelayReceipt(link: link, frames: 2), now: 0)
        for picture in 1...50 {
            rig.now += 40
            try rig.send(1, picture == 1 ? .key : .delta)
            #expect(rig.relay.take(for: 2, now: rig.now) == UInt32(picture + 3))
            try rig.relay.note(2, RelayReceipt(link: link, frames: picture + 2), now: rig.now)
        }
    }

    @Test func onlyNamedIdentitiesAreAdmittedWhateverTheirNames() throws {
        var rig = RelayRig(1)
        rig.join(2, identity: "abc", isPaired: true)
        // The same name for everyone to see, another identity.
        rig.relay.join(3, identity: "connection 3", isPaired: false, name: "Peer 2", decodes: [.vp8])
        try rig.offer(1, .named, named: ["abc"])
        #expect(RelayRig.refusal { _ = try rig.start(3, from: 1) } == .permission)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == nil)
    }

    @Test func aStoppedPeerStaysOutUntilItIsPardoned() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        let link = try rig.start(2, from: 1)
        try rig.send(1, .key)
        try rig.relay.stop(1, link: link)
        // Not even what was waiting.
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == .permission)
        try rig.offer(1, .ask)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == .permission)
        try rig.relay.pardon(1, peer: 2)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == nil)
    }

    /// Without pairing, a new connection is a new identity: it has to be asked about.
    @Test func aStoppedPeerThatComesBackAsAnotherIsAskedAbout() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        try rig.relay.stop(1, link: rig.start(2, from: 1))
        rig.relay.leave(2)
        rig.join(3)
        _ = try rig.start(3, from: 1)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 3, now: 0) == nil)
    }

    /// The sender's connection has ended since, and with it what the relay knew of it.
    @Test func anOfferKeepsOutThoseWhomItsSenderStoppedBefore() throws {
        var rig = RelayRig(1)
        rig.join(2, identity: "abc", isPaired: true)
        rig.join(3, identity: "def", isPaired: true)
        try rig.offer(1)
        try rig.relay.stop(1, link: rig.start(2, from: 1))
        rig.relay.leave(1)
        rig.join(4)
        try rig.offer(4, stopped: ["abc"])
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 4) } == .permission)
        #expect(RelayRig.refusal { _ = try rig.start(3, from: 4) } == nil)
        // Strangers are asked about, as after a stop: one of them could be the stopped one.
        rig.join(5)
        _ = try rig.start(5, from: 4)
        #expect(rig.relay.counts.open == 1 && rig.relay.counts.asking == 1)
        try rig.relay.pardon(4, peer: 2)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 4) } == nil)
    }

    @Test func anOfferEndsTheLinksOfThoseThatItListsAsStopped() throws {
        var rig = RelayRig(3)
        try rig.offer(1)
        _ = try rig.start(2, from: 1)
        _ = try rig.start(3, from: 1)
        try rig.send(1, .key)
        try rig.offer(1, stopped: ["connection 2"])
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        #expect(rig.relay.take(for: 3, now: 0) == 1)
        #expect(rig.relay.counts.open == 1)
    }

    @Test func aReceiverOfEveryoneIsAskedAboutOnceTheSenderAsks() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        _ = try rig.start(2, from: 1)
        try rig.send(1, .key)
        try rig.offer(1, .ask)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        try rig.send(1)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
    }

    @Test func aReceiverThatIsNoLongerNamedIsStopped() throws {
        var rig = RelayRig(2)
        try rig.offer(1, .named, named: ["connection 2"])
        _ = try rig.start(2, from: 1)
        try rig.send(1, .key)
        try rig.offer(1, .named)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        #expect(rig.relay.counts.open == 0 && rig.relay.counts.asking == 0)
    }

    @Test func nobodyReceivesWhatIsNoLongerOffered() throws {
        var rig = RelayRig(2)
        try rig.offer(1)
        _ = try rig.start(2, from: 1)
        try rig.send(1, .key)
        try rig.relay.withdraw(1)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
        #expect(RelayRig.refusal { try rig.send(1, .key) } == .stopped)
        #expect(RelayRig.refusal { _ = try rig.start(2, from: 1) } == .stopped)
    }

    @Test func nobodyUsesALinkOfOthers() throws {
        var rig = RelayRig(3)
        try rig.offer(1)
        let link = try rig.start(2, from: 1)
        #expect(RelayRig.refusal { try rig.relay.stop(3, link: link) } == .foreign)
        #expect(RelayRig.refusal { try rig.relay.askForKey(3, link: link, now: 0) } == .foreign)
        #expect(RelayRig.refusal { try rig.relay.note(3, RelayReceipt(link: link, frames: 0), now: 0) } == .foreign)
        #expect(RelayRig.refusal { try rig.relay.deny(3, link: link, now: 0) } == .foreign)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 3, now: 0) == nil)
        #expect(rig.relay.take(for: 2, now: 0) == 1)
    }

    @Test func nobodyReceivesWithoutHello() throws {
        var rig = RelayRig(1)
        try rig.offer(1)
        #expect(RelayRig.refusal { _ = try rig.start(7, from: 1) } == .order)
        try rig.send(1, .key)
        #expect(rig.relay.take(for: 7, now: 0) == nil)
    }

    @Test func framesOfAnotherPeerAreRefused() throws {
        var rig = RelayRig(3)
        try rig.offer(1)
        try rig.offer(3)
        _ = try rig.start(2, from: 1)
        let forged = RelayFrame(.key, codec: .vp8, sender: 1, number: 1, width: 64, height: 64)
        #expect(RelayRig.refusal { try rig.relay.push(3, forged, bytes: 100, now: 0) { 99 } } == .foreign)
        #expect(rig.relay.take(for: 2, now: 0) == nil)
    }
}
