/** The names that are tried when a name is taken (docs/decisions.md 25). */

/** Endings of two parts that belong together. */
const DOUBLE = /\.tar\.(?:gz|bz2|xz|zst|lz4|sz|br|lzma|z)$/i

/**
 * `a(1).txt` for the name `a.txt` and the number 1, as File Browser writes it; `a(1).tar.gz`, and
 * `.env(1)` for a name that only begins with a dot.
 */
export function numberedName(name: string, number: number): string {
  const dot = DOUBLE.exec(name)?.index ?? name.lastIndexOf('.')
  const at = dot > 0 ? dot : name.length
  return `${name.slice(0, at)}(${number})${name.slice(at)}`
}
