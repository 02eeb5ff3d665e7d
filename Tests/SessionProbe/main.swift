// What tests look at from outside: a process of its own that uses the library in one way, and does nothing else.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.last) {
case ("reports", let file?) where arguments.count == 2: try ReportProbe.run(file)
default: fail("usage: SessionProbe reports FILE")
}
