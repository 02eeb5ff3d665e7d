extension EtcdCluster {
    /// Kills the member with SIGKILL.
    package func kill(_ member: Int) { members[member].kill() }

    /// Starts a killed member with its old files and ports. Does not wait until it is healthy.
    package func restart(_ member: Int) throws {
        try members[member].start()
        if members[member].isIsolated { isolate(member) }
    }

    /// Stops all threads of the member with SIGSTOP. Its connections stay open and are silent.
    package func pause(_ member: Int) throws { try members[member].pause(true) }

    /// Continues a paused member with SIGCONT.
    package func resume(_ member: Int) throws { try members[member].pause(false) }
}

extension EtcdCluster {
    /// Holds back all bytes between the member and the others, as a network partition does. Clients still reach it.
    ///
    /// Needs ``Options/proxiesPeers``. The proxy of a member holds back what others send on connections to it. What it opens
    /// itself goes to the proxies of the others, which find out by `/proc` whether a connection is of its process.
    package func isolate(_ member: Int) { setIsolated(member, true) }

    /// Ends ``isolate(_:)`` and delivers what was held back.
    package func reconnect(_ member: Int) { setIsolated(member, false) }

    private func setIsolated(_ member: Int, _ isIsolated: Bool) {
        precondition(!peerProxies.isEmpty, "isolating a member needs the option proxiesPeers")
        members[member].isIsolated = isIsolated
        isIsolated ? peerProxies[member].stop() : peerProxies[member].resume()
        guard let process = members[member].process else { return }
        for (number, proxy) in peerProxies.enumerated() where number != member { proxy.holdBack(process, isIsolated) }
    }
}
