/** A file of the built interface: the import is the path under which `Bun.file` reads it. */
declare module '*.asset' {
  const path: string

  export = path
}
