/** The extension of a name, and names with a number, which replace a name that exists already (docs/decisions.md 25). */
import { bytesOfName } from './names.ts'
import { NAME_MAX_BYTES } from './paths.ts'

/** Extensions of two parts: a rename of `site.tar.gz` selects `site`. */
const DOUBLE_EXTENSION = /\.tar\.(?:gz|bz2|xz|zst|lz4|sz|br|lzma|z)$/i

/** @returns the length of the name of a file without its extension, in UTF-16 units: the part that a rename selects */
export function stemLength(name: string): number {
  const double = DOUBLE_EXTENSION.exec(name)
  const dots = LEADING_DOTS.exec(name)?.[0].length ?? 0
  const dot = double && double.index > dots ? double.index : name.lastIndexOf('.')
  return dot > dots && dot < name.length - 1 ? dot : name.length
}

/** They begin no extension: `.env` and `...` have none. */
const LEADING_DOTS = /^\.+/

/**
 * `a(1).txt` for the name `a.txt` and the number 1, as in File Browser; `a(1).tar.gz`, and `.env(1)` or `...(1)` for a name
 * with dots at its beginning or end only. A name that becomes too long is cut before the number.
 *
 * @param isFolder whether the name is that of a folder, which has no extension
 */
export function numberedName(name: string, number: number, isFolder = false): string {
  const stemEnd = isFolder ? name.length : stemLength(name)
  const end = `(${number})${name.slice(stemEnd)}`
  if (bytesOfName(end).length >= NAME_MAX_BYTES) return numberedName(name, number, true)
  const stem = [...name.slice(0, stemEnd)]
  while (bytesOfName(`${stem.join('')}${end}`).length > NAME_MAX_BYTES) stem.pop()
  return `${stem.join('')}${end}`
}
