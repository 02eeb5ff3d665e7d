import FleetSession
import Glibc
import LosslessJSON
import VisibleText

/// The task `status`: prints the machines that share a value.
struct StatusReport {
    private let key: String
    private let isJSON: Bool
    private let overview: FleetOverview

    init(_ arguments: TaskArguments) async throws(Failure) {
        (key, isJSON) = (try arguments.required("key"), arguments.has("json"))
        do throws(EtcdError) {
            overview = try await FleetOverview(of: key, etcd: arguments.etcd)
        } catch {
            throw Failure(error)
        }
    }

    func print() throws(Failure) -> SessionctlFleet.ExitCode {
        for line in isJSON ? [object] : lines {
            let number = Output.standard.writeLine(line)
            if number != 0 { throw Failure(.systemError, "standard output: \(String(cString: strerror(number)))") }
        }
        if hasValue { return .success }
        if !isJSON { throw Failure(.negative, "there is no value at \(key)") }
        return .negative
    }

    private var hasValue: Bool { overview.revision > 0 }

    private func isCurrent(_ machine: FleetOverview.Machine) -> Bool { machine.revision >= overview.revision }

    private var lines: [String] {
        let machines = overview.machines.map { machine in
            let state = isCurrent(machine) ? "current" : "behind"
            return "\(machine.name.visible(upTo: 200)): revision \(machine.revision), \(state)"
        }
        if !hasValue { return machines }
        let author = overview.author.map { ", by \($0.visible(upTo: 200))" } ?? ""
        return machines + ["\(key): revision \(overview.revision)\(author), \(overview.size) bytes"]
    }

    private var object: String {
        let machines = overview.machines.map { machine -> JSON in
            ["name": JSON(machine.name), "revision": JSON(machine.revision), "current": JSON(isCurrent(machine))]
        }
        var members = [("key", JSON(key)), ("revision", JSON(overview.revision))]
        if let author = overview.author { members.append(("author", JSON(author))) }
        if hasValue { members.append(("size", JSON(overview.size))) }
        let object = JSONObject(members + [("machines", .array(JSONArray(machines)))])
        return JSONPrinter(layout: .compact).string(.object(object)).escapingInvisible
    }
}
