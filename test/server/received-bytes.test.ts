import { expect, test } from 'bun:test'
import { freeBytes, freeingStream } from '#server/received-bytes.ts'

test('the memory of a chunk is freed when the next one is read, and not before', async () => {
  const chunks = [1, 2].map((value) => new Uint8Array(4).fill(value))
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const freeing = freeingStream(source).getReader()
  expect((await freeing.read()).value).toEqual(new Uint8Array(4).fill(1))
  expect(chunks.map(({ length }) => length)).toEqual([4, 4])
  expect((await freeing.read()).value).toEqual(new Uint8Array(4).fill(2))
  expect(chunks.map(({ length }) => length)).toEqual([0, 4])
  expect((await freeing.read()).done).toBe(true)
  expect(chunks.map(({ length }) => length)).toEqual([0, 0])
})

test('a part of a larger buffer is not freed, because others may use the rest', () => {
  const all = new Uint8Array(8).fill(7)
  freeBytes(all.subarray(0, 4))
  expect(all).toEqual(new Uint8Array(8).fill(7))
})
