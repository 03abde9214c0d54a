/** `SHA256SUMS`: the format of `sha256sum` (GNU coreutils). */

export const SUMS_NAME = 'SHA256SUMS'

/** A digest and a name of at most 4096 characters (PATH_MAX of Linux); a backslash before them means escapes. */
const LINE = /^(\\?)([0-9a-f]{64}) [ *](.{1,4096})$/is
const ESCAPED: Record<string, string> = { '\\\\': '\\', '\\n': '\n', '\\r': '\r' }
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' }

/**
 * The line of a file, with the newline.
 *
 * @param name of the file, relative to the folder of the list
 */
export function sumsLine(digest: string, name: string): string {
  const escaped = name.replace(/[\\\n\r]/g, (character) => ESCAPES[character] ?? character)
  return `${escaped === name ? '' : '\\'}${digest}  ${escaped}\n`
}

/**
 * @param line without the newline
 * @returns undefined for an invalid line
 */
export function parseSumsLine(line: string): { digest: string; name: string } | undefined {
  const [, escaping, digest = '', nameText = ''] = LINE.exec(line) ?? []
  if (escaping === undefined) return undefined
  const unescaped = () => nameText.replace(/\\[\\nr]/g, (pair) => ESCAPED[pair] ?? pair)
  return { digest: digest.toLowerCase(), name: escaping === '' ? nameText : unescaped() }
}
