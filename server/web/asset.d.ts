/**
 * A file of the built interface: the import is its path for `Bun.file`. `scripts/manifest.ts` writes these files into
 * `dist/embed`, and `server/web/manifest.gen.ts`, which imports them.
 */
declare module '*.asset' {
  const path: string

  export = path
}
