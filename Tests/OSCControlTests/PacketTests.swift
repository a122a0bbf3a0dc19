import DSP
import Hub
import OSCControl
import Parameters
import TestSupport
import Testing

@Suite struct PacketTests {
    /// Numbers and switches take a fast path with the same result as the general one.
    @Test func fastPathReadsNumbersLikeTheGeneralPath() throws {
        let plain: [Argument] = [.float(-1.5), .int(-7), .bool(true), .bool(false), .int(.max), .float(.infinity)]
        for count in 0...plain.count {
            let arguments = Array(plain[..<count])
            #expect(try parse(OSCPacket.bytes("/a/b", arguments))[0].message.arguments == arguments)
            // A text after them forces the general path.
            #expect(try parse(OSCPacket.bytes("/a/b", arguments + [.string("x")]))[0].message.arguments == arguments + [.string("x")])
        }
        let whole = OSCPacket.bytes("/a/b", plain)
        #expect(throws: OSCError.self) { try parse(Array(whole.dropLast(4))) }
        #expect(throws: OSCError.self) { try parse(Array(OSCPacket.bytes("/a", [.float(1)]).dropLast(4))) }
    }

    func parse(_ bytes: [UInt8]) throws(OSCError) -> [(timetag: UInt64, message: Message)] {
        var result: Result<[(timetag: UInt64, message: Message)], OSCError> = .success([])
        bytes.withUnsafeBytes { raw in
            do throws(OSCError) {
                result = .success(try OSCPacket.parse(raw, receiveTime: 7))
            } catch { result = .failure(error) }
        }
        return try result.get()
    }

    func words(_ bytes: [UInt8]) -> String {
        do {
            _ = try parse(bytes)
            return "taken"
        } catch { return error.description }
    }

    @Test(
        arguments: [
            [.int(-5)], [.float(1.5)], [.double(-2.25)], [.string("")], [.string("abc")], [.string("abcd")], [.bool(true)],
            [.bool(false)], [.other], [], [.int(1), .string("grüße"), .double(3), .bool(true), .float(-0.0), .int(.min)],
        ] as [[Argument]])
    func everyArgumentTypeRoundTrips(_ arguments: [Argument]) throws {
        let bytes = OSCPacket.bytes("/listener/1/gain", arguments)
        #expect(bytes.count % 4 == 0)
        let parsed = try parse(bytes)
        #expect(parsed.count == 1)
        #expect(parsed[0].timetag == OSCPacket.immediately)
        #expect(
            parsed[0].message == Message(address: "/listener/1/gain", arguments: arguments, receiveTime: 7))
    }

    @Test func bytesMatchTheSpecification() {
        let bytes = OSCPacket.bytes("/oscillator/4/frequency", [.float(440)])
        #expect(bytes == Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xDC, 0, 0])
    }

    @Test func uncommonTypesAreConverted() throws {
        let big =
            Array("/a\0\0,hScm\0\0\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 9]
            + Array("yes\0".utf8) + [0, 0, 0, 65] + [1, 2, 3, 4]
        #expect(try parse(big)[0].message.arguments == [.double(9), .string("yes"), .string("A"), .other])
        let nothing = Array("/a\0\0,NI\0".utf8)
        #expect(try parse(nothing)[0].message.arguments == [.other, .other])
    }

    /// Types that no parameter has are named by their letter, and the arguments after them are read.
    @Test func uncommonTypesAreReadPast() throws {
        let what = "send a number, a text, true or false"
        for (tag, value, name) in [
            ("r", [1, 2, 3, 4], "a colour (OSC type r)"), ("b", [0, 0, 0, 2, 1, 2, 0, 0], "a blob (OSC type b)"),
            ("t", [0, 0, 0, 0, 0, 0, 0, 1], "a time (OSC type t)"), ("c", [0, 0, 1, 0], "a character that is not in ASCII (OSC type c)"),
        ] as [(String, [UInt8], String)] {
            let bytes = Array("/a\0\0,\(tag)f\0".utf8) + value + [0x3F, 0x80, 0, 0]
            #expect(try parse(bytes)[0].message.arguments == [.unreadable("\(name); \(what)"), .float(1)], "\(tag)")
        }
        #expect(
            words(Array("/a\0\0,q\0\0".utf8) + [0, 0, 0, 0])
                == "a message was ignored because its OSC type \"q\" is unknown, at byte 4; send numbers as i or f, texts as s, and "
                + "true or false as T or F")
        let latin = Array("/a\0\0,sf\0".utf8) + [0x67, 0x72, 0xFC, 0] + [0x3F, 0x80, 0, 0]
        let arguments = try parse(latin)[0].message.arguments
        #expect(arguments == [.unreadable("a text that is not UTF-8, such as one in Latin-1; send it in UTF-8"), .float(1)])
        let name = ParameterSpec.text("Name", "")
        #expect(throws: Refusal.unreadable("/a", "a text that is not UTF-8, such as one in Latin-1; send it in UTF-8")) {
            try name.accept(Array(arguments.prefix(1)), at: "/a")
        }
    }

    /// Libraries send a list as an array: its values are the arguments.
    @Test func arraysAreFlattened() throws {
        let one: [UInt8] = [0x3F, 0x80, 0, 0]
        for (tags, values, expected) in [
            ("[f]", one, [.float(1)]), ("[fff]", one + one + one, [.float(1), .float(1), .float(1)]), ("[]", [], []),
            (
                "[[f]f]", one + one,
                [.float(1), .float(1)]
            ), ("s[fT]i", Array("abcd\0\0\0\0".utf8) + one + [0, 0, 0, 7], [.string("abcd"), .float(1), .bool(true), .int(7)]),
            ("[ff][ff]", one + one + one + one, Array(repeating: .float(1), count: 4)),
        ] as [(String, [UInt8], [Argument])] {
            var tagBytes = Array(",\(tags)\0".utf8)
            tagBytes += repeatElement(0, count: (4 - tagBytes.count % 4) % 4)
            #expect(try parse(Array("/a\0\0".utf8) + tagBytes + values)[0].message.arguments == expected, "\(tags)")
        }
        let brackets = "not OSC: brackets of arrays in the type tags do not match, at byte 4"
        #expect(words(Array("/a\0\0,[f\0".utf8) + one) == brackets)
        #expect(words(Array("/a\0\0,]f[\0\0\0\0".utf8) + one) == brackets)
        #expect(words(Array("/a\0\0,[f]\0\0\0\0".utf8)) == "not OSC: arguments do not match the type tags \"f\", at byte 4")
        #expect(words(Array("/a\0\0,[]\0".utf8) + one) == "not OSC: arguments do not match the type tags \"\", at byte 4")
    }

    /// Type m is a port and three bytes; a message with one data byte has a second of 0.
    @Test func midiMessagesBecomeTheirBytes() throws {
        for (bytes, expected) in [
            ([0, 0xB3, 7, 100], [.int(0xB3), .int(7), .int(100)]), ([1, 0xC0, 5, 99], [.int(0xC0), .int(5), .int(0)]),
            ([0, 0xF8, 0, 0], [.other]), ([0, 0xB0, 128, 0], [.other]), ([0, 7, 100, 0], [.other]),
        ] as [([UInt8], [Argument])] {
            #expect(try parse(Array("/a\0\0,m\0\0".utf8) + bytes)[0].message.arguments == expected)
        }
        let two = Array("/a\0\0,mf\0".utf8) + [0, 0x90, 60, 1] + [0, 0, 0, 0]
        #expect(try parse(two)[0].message.arguments == [.int(0x90), .int(60), .int(1), .float(0)])
    }

    @Test func aMissingSlashIsAddedAndMissingTagsMeanNoArguments() throws {
        #expect(try parse(Array("play\0\0\0\0,\0\0\0".utf8))[0].message.address == "/play")
        #expect(try parse(Array("/transport/play\0".utf8))[0].message.arguments == [])
    }

    @Test func bundlesUnpackInOrderWithTheirTimes() throws {
        let (a, b, c) = (
            OSCPacket.bytes("/a", [.int(1)]), OSCPacket.bytes("/b", [.int(2)]), OSCPacket.bytes("/c", [.int(3)])
        )
        let inner = OSCPacket.bundle([b], timetag: 500)
        let parsed = try parse(OSCPacket.bundle([a, inner, c, OSCPacket.bundle([])], timetag: 400))
        #expect(parsed.map(\.message.address) == ["/a", "/b", "/c"])
        #expect(parsed.map(\.timetag) == [400, 500, 400])
        // An inner bundle that is due at once waits for the outer one.
        #expect(try parse(OSCPacket.bundle([OSCPacket.bundle([a])], timetag: 400))[0].timetag == 400)
    }

    @Test func malformedPacketsAreRefusedWithAReason() {
        let message = OSCPacket.bytes("/a", [.int(1)])
        #expect(words([]) == "not OSC: empty packet, at byte 0")
        #expect(words(Array("hello".utf8)) == "not OSC: length 5 is not a multiple of 4, at byte 0")
        #expect(words(Array("/abc".utf8)) == "not OSC: unterminated address, at byte 4")
        #expect(words([0, 0, 0, 0]) == "not OSC: empty address, at byte 0")
        #expect(
            words(Array("/a b\0\0\0\0".utf8))
                == "not OSC: byte 32 in an address, where only printable ASCII without spaces is allowed, at byte 2")
        #expect(words(Array("/a\0x,\0\0\0".utf8)) == "not OSC: address not padded with zeros, at byte 3")
        let tags = "not OSC: type tags missing, unterminated or without a leading comma, at byte 4"
        #expect(words(Array("/a\0\0iii\0".utf8)) == tags)
        #expect(words(Array("/a\0\0,iii".utf8)) == tags)
        let unfit = "not OSC: arguments do not match the type tags"
        #expect(words(Array("/a\0\0,ii\0".utf8) + [0, 0, 0, 1]) == "\(unfit) \"ii\", at byte 4")
        #expect(words(message + [0, 0, 0, 0]) == "\(unfit) \"i\", at byte 4")
        #expect(words(Array("/a\0\0,s\0\0abcd".utf8)) == "\(unfit) \"s\", at byte 4")
        #expect(words(Array("/a\0\0,b\0\0".utf8) + [0x7F, 0xFF, 0xFF, 0xFF]) == "\(unfit) \"b\", at byte 4")
        #expect(words(Array("#bundle\0".utf8)) == "not OSC: bundle shorter than its 16-byte header, at byte 0")
        #expect(
            words(OSCPacket.bundle([message]).dropLast(4).map { $0 })
                == "not OSC: bundle element of 12 bytes where 8 remain, at byte 16")
        #expect(
            words(OSCPacket.bundle([]) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
                == "not OSC: bundle element of -1 bytes where 4 remain, at byte 16")
        // An error inside a bundle reports its position in the whole packet.
        #expect(words(OSCPacket.bundle([message, [0, 0, 0, 0]])) == "not OSC: empty address, at byte 36")
        let deep = (0..<9).reduce(message) { bytes, _ in OSCPacket.bundle([bytes]) }
        #expect(words(deep) == "not OSC: bundles nested more than 8 deep, at byte 160")
        #expect(
            words(OSCPacket.bundle(Array(repeating: OSCPacket.bytes("/a", []), count: 4097)))
                == "not OSC: more than 4096 messages in a bundle, at byte 49172")
    }

    /// Whether an argument is written as it was read.
    private func isWritten(_ argument: Argument) -> Bool {
        switch argument {
        case .other, .unreadable: false
        default: true
        }
    }

    /// Random bytes and damaged packets do no harm, and accepted messages survive a round trip.
    @Test func randomAndDamagedPacketsAreHandledSafely() throws {
        var random = SeededRandom()
        let message = OSCPacket.bytes("/listener/1/ypr", [.float(1), .int(2), .string("three"), .double(4), .bool(true)])
        let array = Array("/listener/1/ypr\0,[f[rs]cf]\0\0\0".utf8) + (0..<20).map { $0 < 8 ? UInt8($0 % 4 + 65) : 0 }
        let whole = [message, OSCPacket.bundle([message, OSCPacket.bundle([message])]), OSCPacket.bundle([]), array]
        var taken = 0
        for i in 0..<200_000 {
            var bytes: [UInt8]
            if i % 4 == 0 {
                bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            } else {
                bytes = whole[i / 4 % 4]
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let at = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.removeLast(bytes.count - at)
                    case 2: bytes.removeSubrange(at..<min(bytes.count, at + 4))
                    default: bytes.insert(contentsOf: bytes[(at & ~3)..<min(bytes.count, (at & ~3) + 4)], at: at & ~3)
                    }
                }
            }
            guard let parsed = try? parse(bytes) else { continue }
            taken += 1
            for (_, message) in parsed where message.arguments.allSatisfy(isWritten) {
                let hasNaN = message.arguments.contains { $0 != $0 }
                guard !hasNaN else { continue }
                let again = try parse(OSCPacket.bytes(message.address, message.arguments))
                let isSame = again.first?.message == message
                if !isSame { Issue.record("packet \(i): \(message)") }
            }
        }
        #expect(taken > 1000)
    }
}
