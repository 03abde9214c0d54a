/** Converts the output of programs to text with whole characters and lines of limited length. */

/** Decodes UTF-8; a character that is split between two pieces appears with the second. */
export async function* decodeText(pieces: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const bytes of pieces) {
    const text = decoder.decode(bytes, { stream: true })
    if (text) yield text
  }
  const incomplete = decoder.decode()
  if (incomplete) yield incomplete
}

/** Yields lines without line ends. Lines longer than `most` characters are split. */
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
  for (let index = 0; index === 0 || index < line.length; index += most)
    yield line.slice(index, index + most)
}
