import { describe, expect, test } from 'bun:test'
import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { encodeStream } from '#server/http/response/content-coding.ts'

const FIRST = Buffer.from('the first line\n')
const REST = Buffer.from('the second line')

describe('a body whose beginning is known early', () => {
  for (const [accepted, decoded] of [
    ['gzip', (bytes: Uint8Array) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })],
    [
      'zstd',
      (bytes: Uint8Array) => zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush }),
    ],
    ['identity', (bytes: Uint8Array) => Buffer.from(bytes)],
  ] as const) {
    test(`the beginning of a body is sent before the rest is known: ${accepted}`, async () => {
      const known = Promise.withResolvers<void>()
      const reader = body(accepted, async function* () {
        await known.promise
        yield REST
      }).getReader()
      const chunks: Uint8Array[] = []
      const read = async () => {
        const { done, value } = await reader.read()
        if (value) chunks.push(value)
        return !done
      }
      while (decoded(Buffer.concat(chunks)).length < FIRST.length) await read()
      expect(decoded(Buffer.concat(chunks))).toEqual(FIRST)
      known.resolve()
      while (await read());
      expect(decoded(Buffer.concat(chunks))).toEqual(Buffer.concat([FIRST, REST]))
    })
  }

  test('an error of the source is an error of the compressed stream', async () => {
    const stream = body('gzip', async function* () {
      yield REST
      throw new Error('The disk failed.')
    })
    await expect(new Response(stream).bytes()).rejects.toThrow('The disk failed.')
  })

  test('a reader that cancels the compressed stream ends its source', async () => {
    const ended = Promise.withResolvers<void>()
    const reader = body('gzip', async function* () {
      try {
        for (;;) yield crypto.getRandomValues(new Uint8Array(65_536))
      } finally {
        ended.resolve()
      }
    }).getReader()
    await reader.read()
    await reader.cancel()
    await ended.promise
  })
})

function body(
  accepted: string,
  rest: () => AsyncGenerator<Uint8Array>,
): ReadableStream<Uint8Array> {
  const call = { req: { header: () => accepted } }
  return encodeStream(call as never, FIRST, rest()).bytes
}
