import FleetRuntime
import FleetTestSupport
import Foundation
import Testing

@Suite struct FileIdentityTests {
    @Test("One file is one identity, whatever name or link leads to it; a new file is known by its folder and name")
    func identity() throws {
        let folder = try TemporaryFolder()
        let (file, link) = (folder.path("a"), folder.path("link"))
        try Data("a".utf8).write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let made = try #require(FileIdentity(file))
        #expect(FileIdentity(link) == made)
        #expect(FileIdentity(folder.path("./a")) == made)
        #expect(FileIdentity(folder.path("b")) == FileIdentity(folder.path("./b")))
        #expect(FileIdentity(folder.path("b")) != made)
        #expect(FileIdentity(folder.path("b")) != FileIdentity(folder.path("c")))
        #expect(FileIdentity(folder.path("none/b")) == nil)
        #expect(FileIdentity("/dev/null")?.isDevice == true && !made.isDevice)
    }
}
