import SessionMirror

extension MirrorReport {
    var problem: SessionProblem? { if case .problem(let problem) = self { problem } else { nil } }
    var status: MirrorStatus? { if case .status(let status) = self { status } else { nil } }
}
