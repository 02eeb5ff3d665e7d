/// A root of scalars only: forty values, about 1 KB of text.
package struct FlatRoot: Codable, Sendable {
    package var host = "updates.example.org"
    package var proxy = "proxy.example.org"
    package var region = "eu-central"
    package var stage = "production"
    package var owner = "operations"
    package var team = "platform"
    package var contact = "somebody@example.org"
    package var title = "Untitled document"
    package var theme = "system"
    package var language = "en_GB.UTF-8"
    package var locale = "en_GB"
    package var timeZone = "Europe/Berlin"
    package var logFile = "/var/log/service.log"
    package var dataFolder = "/var/lib/service"
    package var cacheFolder = "/var/cache/service"
    package var banner = "welcome, with \"quotes\""
    package var port = 8_443
    package var adminPort = 9_443
    package var workers = 8
    package var retries = 3
    package var timeoutSeconds = 30
    package var queueLength = 256
    package var burst = 50
    package var launches = 4_812
    package var maximumSize = 1_048_576
    package var cacheEntries = 10_000
    package var pollInterval = 15
    package var logLevel = 2
    package var usesTLS = true
    package var isEnabled = false
    package var isVerbose = true
    package var sendsReports = false
    package var keepsHistory = true
    package var checksUpdates = false
    package var rate = 0.5
    package var weight = 1.25
    package var fontSize = 13.0
    package var scale = 2.0
    package var opacity = 0.8
    package var threshold = 99.5

    package init() {}
}
