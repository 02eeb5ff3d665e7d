// `import StandardFolders` suffices for everything that its interface mentions.
@_exported public import DurableFiles
