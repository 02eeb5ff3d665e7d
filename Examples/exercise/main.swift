// An exercise app. Each argument is a window: all windows share the ratings, and each has its own tab. Run it twice,
// and rate in one terminal: the other one shows it.
//
//   $ exercise left right
//   > left tab 2
//   left: exercise 2, ratings []
//   > left rate 5
//   left: exercise 2, ratings [0, 0, 5]
//   right: exercise 0, ratings [0, 0, 5]
//
// The values are in ~/.local/state/exercise/session.json. Edit it while the program runs.
import StoredValues

struct Window: Sendable {
    @SceneStored("selectedTab") var selectedTab = 0
    @Stored("ratings") var ratings: [Int] = []

    func rate(_ rating: Int) throws {
        $ratings.update { all in
            while all.count <= selectedTab { all.append(0) }
            all[selectedTab] = rating
        }
        try $ratings.flushBlocking()  // other processes see it now, not within 250 ms
    }
}

let names = CommandLine.arguments.count > 1 ? Array(CommandLine.arguments.dropFirst()) : ["main"]
let windows = Dictionary(
    names.map { name in (name, Scene(name).run { Window() }) }, uniquingKeysWith: { first, _ in first })
let tokens = windows.flatMap { name, window in
    @Sendable func draw() { print("\(name): exercise \(window.selectedTab), ratings \(window.ratings)") }
    return [window.$ratings.observe { _ in draw() }, window.$selectedTab.observe(initial: true) { _ in draw() }]
}
while let words = readLine()?.split(separator: " ").map(String.init) {
    switch (words.count, windows[words.first ?? ""], Int(words.last ?? "")) {
    case (3, let window?, let number?) where words[1] == "rate": try window.rate(number)
    case (3, let window?, let number?) where words[1] == "tab" && 0..<100 ~= number: window.selectedTab = number
    default: print("Say WINDOW tab NUMBER, or WINDOW rate NUMBER. The windows are \(names.joined(separator: " and ")).")
    }
}
