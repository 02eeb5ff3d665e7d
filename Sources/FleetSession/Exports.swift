// `import FleetSession` suffices for everything that its interface mentions.
@_exported public import EtcdClient
@_exported public import SessionMirror
