import Dispatch

/// An actor's own serial executor for work that blocks on a disk or a C library: it keeps the cooperative pool free.
public final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor whose queue is called `label` in a debugger.
    public init(label: String) { queue = DispatchQueue(label: label) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
