/** Files with passwords: one line, or the file of PostgreSQL's own programs (postgresql.org/docs/current/libpq-pgpass.html). */

/** @returns the text without the end of its line */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/**
 * @param text lines of the form HOST:PORT:DATABASE:USER:PASSWORD
 * @returns the password of the first line that fits; undefined if none does
 */
export function passwordIn(
  text: string,
  { hostname, port, pathname, username }: URL,
): string | undefined {
  const wanted = [
    hostname.replace(/^\[|\]$/g, ''),
    port || '5432',
    decodeURIComponent(pathname.slice(1)),
    decodeURIComponent(username),
  ]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const parts = line.match(/(?:\\.|[^:\\])*(?::|$)/g)?.map(unescaped) ?? []
    if (parts.length < 5) continue
    if (wanted.every((value, index) => parts[index] === '*' || parts[index] === value))
      return parts[4]
  }
  return undefined
}

function unescaped(part: string): string {
  return part.replace(/:$/, '').replaceAll(/\\(.)/g, '$1')
}
