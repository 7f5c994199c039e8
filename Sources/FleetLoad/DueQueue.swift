/// Things to do at a time: a binary heap, the earliest first.
struct DueQueue<Element: Sendable>: Sendable {
    private var heap: [(dueS: Double, element: Element)] = []

    /// How many wait.
    var count: Int { heap.count }
    /// When the earliest is due; nil when nothing waits.
    var nextS: Double? { heap.first?.dueS }

    mutating func add(_ element: Element, atS dueS: Double) {
        heap.append((dueS, element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].dueS < heap[parent].dueS else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the earliest when it is due by `nowS`.
    mutating func take(dueBy nowS: Double) -> Element? {
        guard let first = heap.first, first.dueS <= nowS else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].dueS < heap[least].dueS {
                least = child
            }
            if least == parent { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return first.element
    }
}
