// error: static property 'count' is not concurrency-safe
import StoredValues

struct Settings {
    @Stored("count") static var count = 0
}
