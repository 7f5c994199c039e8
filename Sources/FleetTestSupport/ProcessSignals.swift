import Foundation
import Glibc

extension Process {
    /// Starts the process with no signal blocked.
    ///
    /// A child inherits the signal mask of the thread that starts it, and the threads on which asynchronous tests run block all
    /// signals: started with `run`, a child would never see SIGTERM.
    public func runUnblocked() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
