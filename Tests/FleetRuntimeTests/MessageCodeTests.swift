import FleetRuntime
import Foundation
import Testing

@Suite("Message codes")
struct MessageCodeTests {
    @Test(
        "HMAC-SHA256 as in RFC 4231, section 4",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func vectors(key: [UInt8], message: String, code: String) {
        #expect(SHA256.hexadecimal(MessageCode.hmacSHA256(key: key, message: Data(message.utf8))) == code)
    }
}
