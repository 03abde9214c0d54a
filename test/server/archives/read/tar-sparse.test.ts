import { expect, test } from 'bun:test'
import { type DataPiece, withHoles } from '#server/archives/read/tar-sparse.ts'
import { isFault } from '#wire/fault.ts'

async function* parts(text: string) {
  yield Buffer.from(text)
}

async function filled(pieces: DataPiece[] | undefined, stored: string, sizeBytes = 10) {
  const all = await Array.fromAsync(withHoles(parts(stored), { sizeBytes, pieces }))
  return Buffer.concat(all).toString('latin1')
}

test('data is put at its offsets, between zeros', async () => {
  const pieces = [
    { offset: 1, bytes: 2 },
    { offset: 5, bytes: 3 },
  ]
  expect(await filled(pieces, 'abcde')).toBe('\0ab\0\0cde\0\0')
  expect(await filled(undefined, `${'1\n4\n2\n'.padEnd(512, '\0')}xy`)).toBe('\0\0\0\0xy\0\0\0\0')
})

test('pieces that overlap, are out of order, or are outside of the file are refused', async () => {
  const lists = [
    [
      { offset: 5, bytes: 1 },
      { offset: 1, bytes: 1 },
    ],
    [
      { offset: 0, bytes: 3 },
      { offset: 2, bytes: 3 },
    ],
    [{ offset: 8, bytes: 3 }],
    [{ offset: 0, bytes: -1 }],
  ]
  for (const pieces of lists) {
    const failure = await filled(pieces, 'abcdefgh').catch((error) => error)
    expect(isFault(failure, 'unprocessable')).toBe(true)
  }
  for (const list of ['x\n', '99999999999999999\n', '2\n0\n1\n']) {
    const failure = await filled(undefined, list).catch((error) => error)
    expect(isFault(failure, 'unprocessable')).toBe(true)
  }
})
