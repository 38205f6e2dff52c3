import TripDomain
import TripEngine
import TripMart

/// Files that rollbacks left out.
extension Intake {
    /// Leaves out what is held.
    ///
    /// - Parameters:
    ///   - delivered: The files of the input folder.
    ///   - holds: What rollbacks left out.
    /// - Returns: The others.
    /// - Complexity: Only files of whose export a content is held are read.
    mutating func withoutHeld(
        _ delivered: [Delivery.Arrival],
        _ holds: [Hold]
    ) -> [Delivery.Arrival] {
        let held = HeldContents(holds)
        var others: [Delivery.Arrival] = []
        for arrival in delivered {
            let source = pipeline.sources[arrival.sourceIndex]
            let location = landing.location(of: arrival.file.path)
            if held.has(arrival.file.path),
                let hold = held.hold(
                    of: arrival.file.path,
                    archiveHash: bytesHash(location, arrival.file.path),
                    contentHash: expandedHash(location, source: source)
                )
            {
                heldAgain.append(hold)
            } else {
                others.append(arrival)
            }
        }
        return others
    }

    /// Takes files in that rollbacks left out: those that the input folder does not have, out of the archive.
    ///
    /// - Parameter holds: The files, in the order in which they first came.
    mutating func include(_ holds: [Hold]) {
        prepend(holds.filter { !hasArrival(of: $0) }.compactMap { archived($0) })
    }

    /// Whether the input folder has this content once more.
    private func hasArrival(of hold: Hold) -> Bool {
        arrivals.contains { arrival in
            let source = pipeline.sources[arrival.sourceIndex]
            let isSamePath =
                PathKey(source: "", path: arrival.path) == PathKey(source: "", path: hold.path)
            guard isSamePath else { return false }
            return hold.isContent(
                archiveHash: bytesHash(arrival.location, arrival.path),
                contentHash: expandedHash(arrival.location, source: source)
            )
        }
    }

    /// A held file as it lies in the archive; refused where it cannot be had.
    private mutating func archived(_ hold: Hold) -> Arrival? {
        let index = pipeline.sources.firstIndex { $0.name == hold.source }
        guard let index,
            let orderKey = FileRegister.orderKey(path: hold.path, source: pipeline.sources[index]),
            let period = FileRegister.period(path: hold.path, source: pipeline.sources[index]),
            // A file whose bytes have changed is as good as gone.
            let location = try? archive.verifiedPath(hash: hold.archiveHash)
        else {
            refuse(
                hold.path,
                index ?? 0,
                "a rollback left it out, and now the archive has lost it or the pipeline has no place "
                    + "for it",
                "Deliver it again."
            )
            return nil
        }
        return Arrival(
            sourceIndex: index,
            path: hold.path,
            archiveHash: hold.archiveHash,
            contentHash: hold.contentHash,
            location: location,
            orderKey: orderKey,
            period: period
        )
    }

    /// The hash of a file's bytes; empty where it cannot be read, which reading will tell.
    private func bytesHash(_ location: String, _ name: String) -> String {
        // A file that cannot be read is refused, with its reason, when its records are read.
        (try? ContentHash.ofFile(path: location, name: name)) ?? ""
    }
}
