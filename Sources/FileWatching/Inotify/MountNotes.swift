internal import Glibc

/// What following paths found of mounts, for the next time that mounts change: the list of them does not show everything.
struct MountNotes {
    /// An overlay that a path ends on.
    struct Overlay: Hashable {
        let path: [UInt8]
        let hasLayersInSight: Bool
    }

    /// Which folder or file was found where something is mounted. What is unmounted and mounted again between two readings of
    /// the list may have the same line there.
    var found: [[UInt8]: Inode] = [:]
    var overlays: [PathID: Overlay] = [:]
    /// Something was found that does not agree with the list.
    var areDoubtful = false
}

extension InotifyBackend {
    func mountsChanged(at places: [[UInt8]], _ table: MountTable, in batch: inout Batch) {
        mounts = table
        if self.table.pathCount == 0 { return }
        for place in places { noteMount(at: place, in: &batch) }
        for (place, inode) in notes.found where inodeUnlessForeign(place) != inode {
            notes.found[place] = nil
            noteMount(at: place, in: &batch)
        }
        noteOverlays(in: &batch)
    }

    private func noteMount(at place: [UInt8], in batch: inout Batch) {
        guard let slash = place.lastIndex(of: UInt8(ascii: "/")) else { return table.noteAll(in: &batch) }
        // What lies with others is never walked into, and they may not answer.
        guard let inode = inodeUnlessForeign(Array(place[..<slash])) else { return }
        table.notePassing(FileName(place[(slash + 1)...]), in: inode, &batch)
    }

    private func inodeUnlessForeign(_ place: [UInt8]) -> Inode? {
        mounts.leadsThroughForeign(place[...]) ? nil : try? Inode(at: place)
    }

    /// Takes note of what a path led to where something is mounted. If that is news, others that lead there know nothing of it.
    func found(_ inode: Inode, mountedAt place: [UInt8]) {
        if let known = notes.found.updateValue(inode, forKey: place), known != inode {
            noteMount(at: place, in: &disturbed)
        }
    }
}

extension InotifyBackend {
    /// Notes the paths that end on an overlay whose layers came into sight, or got out of it.
    private func noteOverlays(in batch: inout Batch) {
        var answers: [[UInt8]: Bool] = [:]
        for (path, overlay) in notes.overlays {
            let answer = answers[overlay.path] ?? hasLayersInSight(under: overlay.path)
            answers[overlay.path] = answer
            if answer != overlay.hasLayersInSight { batch.touch(path, isDirect: false, needsArming: true) }
        }
    }

    /// Whether the layers can be changed of the overlay that a path leads to.
    func hasLayersInSight(under path: [UInt8]) -> Bool {
        mounts.hasLayersInSight(under: path) { layer in
            do throws(SystemError) { _ = try Inode(at: layer) } catch { return !error.meansMissing }
            return true
        }
    }
}

extension SystemError {
    /// Whether there is nothing by a path, for anybody.
    fileprivate var meansMissing: Bool { number == ENOENT || number == ENOTDIR }
}
