import { expect, test } from 'bun:test'
import { deflateRawSync } from 'node:zlib'
import { DamagedStreamError } from '#server/archives/codecs/bit-reader.ts'
import { inflate64 } from '#server/archives/codecs/inflate64.ts'

async function inflated(packed: Uint8Array, stepBytes = packed.length): Promise<Buffer> {
  async function* parts() {
    for (let start = 0; start < packed.length; start += stepBytes) {
      yield packed.subarray(start, start + stepBytes)
    }
  }
  return Buffer.concat(await Array.fromAsync(inflate64(parts())))
}

/** Deflate64 differs from Deflate only in the longest lengths and distances, which this text does not need. */
const TEXT = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => (index * index * 31) % 99_991).join(' '),
)

test('what Deflate and Deflate64 have in common is read, in pieces of any size', async () => {
  for (const level of [0, 1, 9]) {
    const packed = deflateRawSync(TEXT, { level })
    for (const step of [1, 7, packed.length]) {
      expect((await inflated(packed, step)).equals(TEXT)).toBe(true)
    }
  }
})

/** Bits of a block with fixed codes, as in RFC 1951 3.2.6: the lowest bit of a number first, codes with the highest first. */
function block(...bits: string[]): Uint8Array {
  const all = ['1', '10', ...bits].join('')
  const bytes = new Uint8Array(Math.ceil(all.length / 8))
  for (const [index, bit] of [...all].entries())
    if (bit === '1') bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  return bytes
}

const LETTER_A = (0x30 + 0x61).toString(2).padStart(8, '0')
const END = '0000000'
/** The code 285 with an extra number of 16 bits, which Deflate does not have. */
const lengthOf = (length: number) =>
  `11000101${[...(length - 3).toString(2).padStart(16, '0')].reverse().join('')}`

test('the longest length and the distance codes 30 and 31 are those of Deflate64', async () => {
  const repeated = await inflated(block(LETTER_A, lengthOf(65_538), '00000', END))
  expect([repeated.length, repeated.every((byte) => byte === 0x61)]).toEqual([65_539, true])
  const far = `11111${'0'.repeat(14)}`
  const both = await inflated(
    block(LETTER_A, lengthOf(65_538), '00000', LETTER_A, lengthOf(3), far, END),
  )
  expect(both.length).toBe(65_543)
})

test('a stream that repeats what is not there, that is cut, or that has no codes is damaged', async () => {
  const damaged = [
    block(LETTER_A, lengthOf(3), '00001', END),
    block(LETTER_A),
    Uint8Array.of(0x07),
    Uint8Array.of(),
    deflateRawSync(TEXT).subarray(0, 500),
  ]
  for (const packed of damaged) {
    const failure = await inflated(packed).catch((error) => error)
    expect(failure).toBeInstanceOf(DamagedStreamError)
  }
})
