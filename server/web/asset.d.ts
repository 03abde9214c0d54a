/** A file of the built interface: the import is its path for `Bun.file`. */
declare module '*.asset' {
  const path: string

  export = path
}
