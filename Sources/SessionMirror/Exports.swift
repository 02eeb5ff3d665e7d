// `import SessionMirror` suffices for everything that its interface mentions.
@_exported public import DurableFiles
@_exported public import FileWatching
@_exported public import LosslessJSON
