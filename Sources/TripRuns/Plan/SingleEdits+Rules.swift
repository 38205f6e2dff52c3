import TripPipeline

/// The edits of rules, one by one.
extension SingleEdits {
    /// The edits of rules: first the changed ones, then the removed and the added ones, and last
    /// the order.
    static func rules(_ before: [RuleText], _ now: [RuleText]) -> [Edit] {
        func edit(
            _ rule: RuleText,
            _ what: String,
            _ apply: @escaping (inout [RuleText]) -> Void
        ) -> Edit {
            Edit(name: "\(rule.when.file):\(rule.when.line): rule \(rule.id) \(what)") {
                apply(&$0.pipeline.rules)
            }
        }
        var edits: [Edit] = []
        for rule in now {
            guard let old = before.first(where: { $0.id == rule.id }),
                !FolderEdits.differences(old, rule).isEmpty
            else { continue }
            edits.append(
                edit(rule, "changed") { rules in
                    rules = rules.map { $0.id == rule.id ? rule : $0 }
                }
            )
        }
        for rule in before where !now.contains(where: { $0.id == rule.id }) {
            edits.append(
                Edit(name: "\(rule.when.file): rule \(rule.id) removed") { state in
                    state.pipeline.rules.removeAll { $0.id == rule.id }
                }
            )
        }
        for (index, rule) in now.enumerated()
        where !before.contains(where: { $0.id == rule.id }) {
            edits.append(
                edit(rule, "added") { rules in
                    // After the nearest rule in front of it that is already in the list.
                    let front = now[..<index].last { front in
                        rules.contains { $0.id == front.id }
                    }
                    let position = rules.firstIndex { $0.id == front?.id }
                    rules.insert(rule, at: position.map { $0 + 1 } ?? 0)
                }
            )
        }
        let (kept, order) = (before.map(\.id), now.map(\.id))
        if kept.filter(order.contains) != order.filter(kept.contains) {
            edits.append(
                Edit(name: "rules in another order") { state in
                    state.pipeline.rules.order(by: order)
                }
            )
        }
        return edits
    }
}

extension [RuleText] {
    /// Puts rules into an order; rules that it does not name keep their places.
    fileprivate mutating func order(by ids: [String]) {
        let places = indices.filter { ids.contains(self[$0].id) }
        let ordered = ids.compactMap { id in first { $0.id == id } }
        for (place, rule) in zip(places, ordered) { self[place] = rule }
    }
}
