import { expect, test } from 'bun:test'
import { inChunks } from '#server/archives/write/archive-bytes.ts'

const KIB = 1024

/** The chunks of these pieces. */
async function chunksOf(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
  return Array.fromAsync(
    inChunks(
      (async function* () {
        yield* pieces
      })(),
    ),
  )
}

/** Parts of one buffer, one after the other. */
function partsOf(bytes: Uint8Array, partBytes: number): Uint8Array[] {
  return Array.from({ length: bytes.length / partBytes }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  )
}

test('pieces that follow each other in memory are sent without a copy', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(64 * KIB))
  const chunks = await chunksOf(partsOf(bytes, KIB))
  expect(chunks).toHaveLength(1)
  expect(chunks[0]?.buffer).toBe(bytes.buffer)
  expect(chunks[0]).toEqual(bytes)
})

test('small pieces from different buffers are combined in their order', async () => {
  const pieces = [1, 2, 3].map((value) => new Uint8Array(KIB).fill(value))
  expect(await chunksOf(pieces)).toEqual([new Uint8Array(Buffer.concat(pieces))])
})

test('a large chunk is sent before a piece from another buffer', async () => {
  const [a, b] = [128, 2].map((kib) => crypto.getRandomValues(new Uint8Array((kib * KIB) / 2)))
  const [first, second] = [a ?? new Uint8Array(), b ?? new Uint8Array()]
  const chunks = await chunksOf([...partsOf(first, KIB), second])
  expect(chunks.map(({ buffer }) => buffer)).toEqual([first.buffer, second.buffer])
  expect(Buffer.concat(chunks)).toEqual(Buffer.concat([first, second]))
})
