extension RunQueue {
    /// The files of a request.
    enum Place: String {
        case waiting = "request"
        case running
        case ended
        case stage
        case cancel
        /// What was put there and is none of ours.
        case refused

        /// In the order a request goes through them.
        static let states: [Place] = [.waiting, .running, .ended]
    }

    func path(_ id: String, _ place: Place) -> String { "\(folderPath)/\(id).\(place.rawValue)" }

    /// Ids by name of file, in no order that means anything.
    func names(_ place: Place) throws(MartError) -> [String] {
        try FileSystem.names(in: folderPath).compactMap { name in
            guard name.hasSuffix("." + place.rawValue) else { return nil }
            let id = String(name.dropLast(place.rawValue.count + 1))
            return Self.isID(id) ? id : nil
        }
    }

    /// Finds a request also where it is moved while this looks, forwards or, once, back.
    func find(_ id: String) throws(MartError) -> QueuedRun? {
        for place in Place.states + Place.states {
            if let run = try readIfThere(id, place) { return run }
        }
        return nil
    }

    private func readIfThere(_ id: String, _ place: Place) throws(MartError) -> QueuedRun? {
        do throws(MartError) {
            return try read(id, place)
        } catch {
            if error.code == .notFound || !FileSystem.exists(path(id, place)) { return nil }
            throw error
        }
    }

    func read(_ id: String, _ place: Place) throws(MartError) -> QueuedRun {
        let text = try text(id, place)
        guard let request = text.request else { throw damaged(id, place) }
        let state: QueuedRun.State
        switch place {
        case .running:
            // How far it is may be written this moment, or never was.
            let stage = try? self.text(id, .stage).stage
            state = .running(since: text[time: "since"] ?? request.at, stage: stage)
        case .ended:
            guard let ending = text.ending else { throw damaged(id, place) }
            state = .ended(ending)
        default: state = .waiting
        }
        return QueuedRun(
            id: id,
            request: request,
            state: state,
            attempts: Int(min(max(text[number: "attempts"] ?? 0, 0), Int64(Self.attemptLimit))),
            isWriting: text["writing"] != nil,
            isToBeCancelled: place == .running && FileSystem.exists(path(id, .cancel))
        )
    }

    private func text(_ id: String, _ place: Place) throws(MartError) -> QueueText {
        guard let text = QueueText(try QueueFile.read(path(id, place))) else {
            throw damaged(id, place)
        }
        return text
    }

    private func damaged(_ id: String, _ place: Place) -> MartError {
        MartError(
            .damaged,
            file: path(id, place),
            remedy: "This is no request. Take it away, and ask once more."
        )
    }

    /// Writes a file as a whole: whoever looks sees the old one or the new one.
    ///
    /// How far a run was need not outlive the machine.
    func write(_ text: QueueText, _ id: String, _ place: Place) throws(MartError) {
        let draft = "\(folderPath)/.\(id).\(place.rawValue).new"
        try FileSystem.remove(draft)
        try QueueFile.writeNew(text.bytes, to: draft, isSynced: place != .stage)
        try FileSystem.move(draft, to: path(id, place))
        if place != .stage { try FileSystem.sync(folderPath) }
    }

    /// Moves a request on, with what is to be said of it from then on; at no moment is it nowhere, or twice.
    func advance(
        _ id: String,
        from: Place,
        to: Place,
        _ change: (inout QueueText) -> Void
    ) throws(MartError) {
        try self.change(id, from, change)
        try FileSystem.move(path(id, from), to: path(id, to))
        try FileSystem.sync(folderPath)
    }

    /// Says something else of a request.
    func change(
        _ id: String,
        _ place: Place,
        _ change: (inout QueueText) -> Void
    ) throws(MartError) {
        var text = try text(id, place)
        change(&text)
        try write(text, id, place)
    }
}
