extension String {
    /// This text with control characters replaced by `?`, so that what came from a file or the network cannot steer a terminal.
    public var printable: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var result = ""
        for scalar in unicodeScalars { result.unicodeScalars.append(Self.isControl(scalar) ? "?" : scalar) }
        return result
    }

    /// This text, cut where it is too long to be repeated in an error of one line.
    public var shortened: String {
        let bound = 200
        return utf8.count <= bound ? self : "\(prefix(bound))... (\(utf8.count) bytes)"
    }

    /// C0, DEL, C1, line and paragraph separators, and what is not seen but changes what is: marks of writing direction and zero width.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }
}
