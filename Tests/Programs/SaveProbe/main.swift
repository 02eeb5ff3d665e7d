// The processes of the stress tests of saving:
//
//   SaveProbe count FILE COUNT           commits COUNT increments of a shared counter
//   SaveProbe own FILE KEY COUNT         the same with a counter of its own, and prints the reverts reported for it
//   SaveProbe update FILE NAME COUNT     sets COUNT keys, which are saved after a delay
//   SaveProbe append FILE NAME COUNT     adds COUNT elements to each of three arrays, which are saved after a delay
//   SaveProbe commit FILE NAME FIRST     commits one key after the other until it is killed, and prints each of them
import FileScripts

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("count", 3): try CountProbe(path: arguments[1]).run(number(arguments[2]))
case ("own", 4): try OwnProbe(path: arguments[1], key: arguments[2]).run(number(arguments[3]))
case ("update", 4): try UpdateProbe(path: arguments[1], name: arguments[2]).run(number(arguments[3]))
case ("append", 4): try AppendProbe(path: arguments[1], name: arguments[2]).run(number(arguments[3]))
case ("commit", 4): try CommitProbe(path: arguments[1], name: arguments[2]).run(from: number(arguments[3]))
default:
    fail(
        """
        usage: SaveProbe count FILE COUNT | own FILE KEY COUNT | update FILE NAME COUNT | append FILE NAME COUNT
            | commit FILE NAME FIRST
        """)
}

func number(_ text: String) -> Int {
    guard let number = Int(text) else { fail("\(text) is not a number") }
    return number
}
