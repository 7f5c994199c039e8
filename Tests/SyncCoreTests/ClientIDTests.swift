import Testing

@testable import SyncCore

@Suite("The client id of an instance")
struct ClientIDTests {
    @Test("is the same after every start, its own for each instance, and says nothing of the store's key")
    func digest() {
        let one = SyncService.clientID(instance: "sync-1", shareKey: "5ab3")
        // printf '%s' 'sync-1 5ab3' | sha256sum | cut -c-16
        #expect(one == "sync-sync-1-d20e662fb8f27456")
        #expect(SyncService.clientID(instance: "sync-2", shareKey: "5ab3") != one)
        #expect(SyncService.clientID(instance: "sync-1", shareKey: "5ab4") != one)
    }
}
