// The ratings of exercises: any Codable value in one line, arrays and dictionaries as they are.
//
//   $ ratings
//   > rate 2 5
//   ratings: [0, 0, 5]
//   > name morning
//   > name
//
// The values are in ~/.local/state/ratings/session.json. Edit it while the program runs.
import StoredValues

struct RatingView: Sendable {
    let exercise: Int
    @Stored("ratings") var ratings: [Int] = []
    @Stored("nickname") var nickname: String?  // nil removes the key

    func tap(_ rating: Int) {
        $ratings.update { all in  // an edit of the file may have shortened the array
            while all.count <= exercise { all.append(0) }
            all[exercise] = rating
        }
    }
}

let view = RatingView(exercise: 0)
let token = view.$ratings.observe { print("ratings:", $0.new) }
while let words = readLine()?.split(separator: " ").map(String.init) {
    switch (words.first, words.dropFirst().compactMap { Int($0) }) {
    case ("rate", let numbers) where numbers.count == 2 && 0..<100 ~= numbers[0]:
        RatingView(exercise: numbers[0]).tap(numbers[1])
    case ("name", _): view.nickname = words.count > 1 ? words[1] : nil
    case ("show", _): print(view.ratings, view.nickname ?? "without a name", view.$ratings.problem?.description ?? "")
    default: print("Say rate EXERCISE RATING, name NAME, name, or show.")
    }
}
