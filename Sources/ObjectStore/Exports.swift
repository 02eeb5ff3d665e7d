// `import ObjectStore` suffices for everything that its interface mentions.
@_exported public import SessionMirror
@_exported public import StandardFolders
