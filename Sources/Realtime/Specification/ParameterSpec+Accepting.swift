extension ParameterSpec {
    /// The value that these arguments set, brought into the range.
    ///
    /// Integers and floats stand for each other; a choice is given by its name or its number.
    /// - Throws: ``Refusal`` for a wrong count or type, a value of an unsupported type, a text or a list that is too long, a text with
    ///   control characters, an unknown choice, NaN, infinity, and a number that is too large for a 32-bit float.
    public func accept(_ arguments: [Argument], at address: String) throws(Refusal) -> ParameterValue {
        guard access != .read else { throw .readOnly(address) }
        if kind == .impulse { return .impulse }
        for argument in arguments { try argument.checkReadable(at: address) }
        switch kind {
        case .text:
            let count = isPair ? 2 : 1
            let isAccompanied = (isConfirmable || isNumbered) && arguments.count == count + 1 && arguments[count].number != nil
            let text = try text(isAccompanied ? Array(arguments.prefix(count)) : arguments, count, address)
            let length = text.utf8.count
            guard length <= longestText else { throw .tooLong(address, limit: longestText, found: length) }
            if let control = text.unicodeScalars.first(where: isRefused) { throw .controlCharacter(address, found: control.value) }
            return .text(text)
        case .choice(let names):
            guard !names.isEmpty else { throw .noChoices(address) }
            let argument = try single(arguments, address)
            guard case .string(let name) = argument else { return .number(try number(argument, address)) }
            guard let index = names.firstIndex(of: formerNames[name] ?? name) else {
                throw .unknownChoice(address, found: name, names: names)
            }
            return .number(Float(index))
        default:
            return try numbers(arguments, address)
        }
    }

    /// A text, or several texts, one per line.
    private func text(_ arguments: [Argument], _ count: Int, _ address: String) throws(Refusal) -> String {
        guard arguments.count == count else {
            guard isConfirmable || isNumbered else { throw .wrongCount(address, expected: count, found: arguments.count) }
            let isBadlyFollowed = arguments.count == count + 1
            throw .wrongType(address, expected: accompanied(count) + (isBadlyFollowed ? "" : ", not \(counted(arguments.count, "value"))"))
        }
        var lines: [String] = []
        for argument in arguments {
            guard let line = text(argument) else { throw .wrongType(address, expected: count == 1 ? "a text" : "texts") }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a character is refused in a text: a control character other than line breaks and tabs, or one that turns the direction of
    /// the text around it. In a text of one line, line breaks are refused as well.
    private func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0x0A, 0x0D, 0x2028, 0x2029: isOneLine
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The arguments that a text parameter expects, in words.
    private func accompanied(_ count: Int) -> String {
        let texts = count == 1 ? "a text" : "two texts"
        return "\(texts), and then \(isConfirmable ? "true to replace what exists" : "a number") or nothing"
    }

    private func text(_ argument: Argument) -> String? {
        if case .string(let text) = argument { return text }
        return takesNumbers ? argument.number.flatMap { $0.isFinite ? Self.plainWords($0) : nil } : nil
    }

    private func single(_ arguments: [Argument], _ address: String) throws(Refusal) -> Argument {
        guard arguments.count == 1 else { throw .wrongCount(address, expected: 1, found: arguments.count) }
        return arguments[0]
    }

    private func numbers(_ arguments: [Argument], _ address: String) throws(Refusal) -> ParameterValue {
        let expected = count ?? arguments.count
        guard count != nil || arguments.count <= mostNumbers else {
            throw .tooMany(address, limit: mostNumbers, found: arguments.count)
        }
        guard arguments.count == expected else {
            throw .wrongCount(address, expected: expected, found: arguments.count)
        }
        if !words.isEmpty, case .string(let word)? = arguments.first {
            guard words.contains(word) else { throw .unknownChoice(address, found: word, names: ["a number"] + words) }
            return .text(word)
        }
        if isRotation { return .init(numbers: try unit(arguments, address)) }
        var numbers: [Float] = []
        for argument in arguments { numbers.append(try number(argument, address)) }
        return .init(numbers: numbers)
    }

    /// Quaternions of any length mean a rotation: they are scaled to length 1 instead of being clamped by element.
    private func unit(_ arguments: [Argument], _ address: String) throws(Refusal) -> [Float] {
        var numbers: [Double] = []
        for argument in arguments {
            numbers.append(Double(try argument.finite(at: address)))
        }
        let length = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 1e-3 else { throw .wrongType(address, expected: "a quaternion of length 1, not of length 0") }
        return numbers.map { Float($0 / length) }
    }

    private func number(_ argument: Argument, _ address: String) throws(Refusal) -> Float {
        let number = try argument.finite(at: address)
        guard isWhole else { return bounded(number) }
        guard number == number.rounded() else { throw .notWhole(address, found: number) }
        // A setting is brought into its range; a command with another number would act on something else than the sender named.
        guard access == .readWrite || range.contains(number) else { throw .outOfRange(address, found: number, range) }
        return bounded(number)
    }

    /// The OSC type tags of a value, as in OSCQuery's TYPE.
    public var oscType: String {
        switch kind {
        case .number: "f"
        case .integer: "i"
        case .toggle: "T"
        case .choice: "s"
        case .text: isPair ? "ss" : "s"
        case .vector(let names): String(repeating: "f", count: names.count)
        case .list: "[f]"
        case .impulse: "N"
        }
    }

    /// The value as OSC arguments: a choice by its name.
    public func arguments(_ value: ParameterValue) -> [Argument] {
        switch (kind, value) {
        case (.choice(let names), .number(let index)):
            [.string(Int(checked: index).flatMap { names.indices.contains($0) ? names[$0] : nil } ?? "")]
        case (.toggle, .number(let number)): [.bool(number != 0)]
        case (.integer, .number(let number)): [.int(Int32(clamping: number))]
        case (_, .text(let text)): [.string(text)]
        default: value.numbers.map { .float($0) }
        }
    }
}

extension ParameterSpec {
    /// Whether these arguments report the release of a button, which actions ignore.
    ///
    /// A push button of a touch surface sends 1 when it is pressed and 0 when it is released. No argument, nil and any other number are
    /// presses. The arguments of all other parameters are data and never a release.
    public func isRelease(_ arguments: [Argument]) -> Bool {
        kind == .impulse && !arguments.isEmpty && arguments.allSatisfy(\.isRelease)
    }
}

extension Argument {
    /// Whether a button sends this when it is released: 0 or false, also as a text.
    public var isRelease: Bool {
        if case .string(let text) = self { text == "false" || Float(text) == 0 } else { number == 0 }
    }
}
