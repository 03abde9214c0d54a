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

/** Yields lines without line ends. Lines longer than `maxChars` are split. */
export async function* linesOf(
  texts: AsyncIterable<string>,
  maxChars: number,
): AsyncIterable<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield* pieces(line.replace(/\r$/, ''), maxChars)
    while (rest.length > maxChars) {
      const end = pieceEnd(rest, 0, maxChars)
      // The rest of the line end may follow, and is no line of its own.
      if (['', '\r'].includes(rest.slice(end))) break
      yield rest.slice(0, end)
      rest = rest.slice(end)
    }
  }
  if (rest) yield* pieces(rest, maxChars)
}

/** Yields a line in pieces; an empty line is one piece. */
function* pieces(line: string, maxChars: number): Iterable<string> {
  let start = 0
  do {
    const end = pieceEnd(line, start, maxChars)
    yield line.slice(start, end)
    start = end
  } while (start < line.length)
}

/** The end of the piece that begins at `start`. A surrogate pair is not divided, even if it exceeds `maxChars`. */
function pieceEnd(line: string, start: number, maxChars: number): number {
  const end = start + maxChars
  if ((line.codePointAt(end - 1) ?? 0) <= 0xffff) return end
  return maxChars > 1 ? end - 1 : end + 1
}
