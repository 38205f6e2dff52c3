extension RunQueue {
    /// The files of a request.
    enum RequestFile: String {
        case waiting = "request"
        case running
        case ended
        case stage
        case cancel
        /// A file that is not a valid request.
        case refused

        /// The states in the order in which a request passes through them.
        static let states: [RequestFile] = [.waiting, .running, .ended]
    }

    func path(_ id: String, _ file: RequestFile) -> String {
        "\(folderPath)/\(id).\(file.rawValue)"
    }

    /// The ids of the files of one kind, in no particular order.
    func names(_ file: RequestFile) throws(MartError) -> [String] {
        try FileSystem.names(in: folderPath).compactMap { name in
            guard name.hasSuffix("." + file.rawValue) else { return nil }
            let id = String(name.dropLast(file.rawValue.count + 1))
            return Self.isID(id) ? id : nil
        }
    }

    /// Finds a request even while another process moves it forwards or, once, back.
    func find(_ id: String) throws(MartError) -> QueuedRun? {
        for file in RequestFile.states + RequestFile.states {
            if let run = try readIfThere(id, file) { return run }
        }
        return nil
    }

    private func readIfThere(_ id: String, _ file: RequestFile) throws(MartError) -> QueuedRun? {
        do throws(MartError) {
            return try read(id, file)
        } catch {
            if error.code == .notFound || !FileSystem.exists(path(id, file)) { return nil }
            throw error
        }
    }

    func read(_ id: String, _ file: RequestFile) throws(MartError) -> QueuedRun {
        let text = try text(id, file)
        guard let request = text.request else { throw damaged(id, file) }
        let state: QueuedRun.State
        switch file {
        case .running:
            // The stage may be missing, or another process may be writing it at this moment.
            let stage = try? self.text(id, .stage).stage
            state = .running(since: text[time: "since"] ?? request.at, stage: stage)
        case .ended:
            guard let ending = text.ending else { throw damaged(id, file) }
            state = .ended(ending)
        default: state = .waiting
        }
        return QueuedRun(
            id: id,
            request: request,
            state: state,
            attempts: Int(min(max(text[number: "attempts"] ?? 0, 0), Int64(Self.attemptLimit))),
            isWriting: text["writing"] != nil,
            isToBeCancelled: file == .running && FileSystem.exists(path(id, .cancel))
        )
    }

    private func text(_ id: String, _ file: RequestFile) throws(MartError) -> QueueText {
        guard let text = QueueText(try QueueFile.read(path(id, file))) else {
            throw damaged(id, file)
        }
        return text
    }

    private func damaged(_ id: String, _ file: RequestFile) -> MartError {
        MartError(
            .damaged,
            file: path(id, file),
            remedy: "This is no request. Remove the file, and request the run again."
        )
    }

    /// Replaces a file atomically: a reader sees the old one or the new one.
    ///
    /// The stage of a run need not survive a crash of the machine, so it is not synced.
    func write(_ text: QueueText, _ id: String, _ file: RequestFile) throws(MartError) {
        let draft = "\(folderPath)/.\(id).\(file.rawValue).new"
        try FileSystem.remove(draft)
        try QueueFile.writeNew(text.bytes, to: draft, isSynced: file != .stage)
        try FileSystem.move(draft, to: path(id, file))
        if file != .stage { try FileSystem.sync(folderPath) }
    }

    /// Moves a request to its next state, with changed text; at every moment exactly one file has
    /// it.
    func advance(
        _ id: String,
        from: RequestFile,
        to: RequestFile,
        _ change: (inout QueueText) -> Void
    ) throws(MartError) {
        try self.change(id, from, change)
        try FileSystem.move(path(id, from), to: path(id, to))
        try FileSystem.sync(folderPath)
    }

    /// Changes the text of a request.
    func change(
        _ id: String,
        _ file: RequestFile,
        _ change: (inout QueueText) -> Void
    ) throws(MartError) {
        var text = try text(id, file)
        change(&text)
        try write(text, id, file)
    }
}
