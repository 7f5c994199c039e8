extension String {
    /// This text with control characters replaced by `?`, so that what came from a file or the network cannot steer a terminal.
    public var printable: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var result = ""
        for scalar in unicodeScalars { result.unicodeScalars.append(Self.isControl(scalar) ? "?" : scalar) }
        return result
    }

    /// C0, DEL, C1, and the marks that change the direction of writing.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
