/** Bytes of programs as text for people: whole characters, lines of a bounded length. */

/** Text as it comes; a character that is cut between two pieces comes whole with the second. */
export async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const bytes of pieces) {
    const text = decoder.decode(bytes, { stream: true })
    if (text) yield text
  }
  const rest = decoder.decode()
  if (rest) yield rest
}

/** Lines without their ends. One longer than `most` characters comes in several pieces. */
export async function* linesOf(texts: AsyncIterable<string>, most: number): AsyncIterable<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield* pieces(line.replace(/\r$/, ''), most)
    while (rest.length > most) {
      yield rest.slice(0, most)
      rest = rest.slice(most)
    }
  }
  if (rest) yield rest
}

function* pieces(line: string, most: number): Iterable<string> {
  for (let at = 0; at === 0 || at < line.length; at += most) yield line.slice(at, at + most)
}
