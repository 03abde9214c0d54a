import { expect, test } from 'bun:test'
import { UploadLocks } from '#server/files/uploads/upload-locks.ts'

test('a later request for an upload ends the earlier one, and begins after it', async () => {
  const locks = new UploadLocks()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = locks.run('upload', async ({ stop }) => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>()
    stop.addEventListener('abort', () => resolve())
    seen.push('first begins')
    await aborted
    // The request needs time to end after its signal is aborted.
    await gate.promise
    seen.push('first ends')
  })
  const second = locks.run('upload', async ({ stop }) => {
    seen.push('second begins')
    expect(stop.aborted).toBe(false)
  })
  await locks.run('another upload', async () => void seen.push('another'))
  await new Promise(setImmediate)
  expect(seen).toEqual(['first begins', 'another'])
  expect(await locks.has('upload')).toBe(true)
  gate.resolve()
  await Promise.all([first, second])
  expect(seen).toEqual(['first begins', 'another', 'first ends', 'second begins'])
  expect(await locks.has('upload')).toBe(false)
})

test('a failed request for an upload lets the next one begin', async () => {
  const locks = new UploadLocks()
  const broken = locks.run('upload', () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
  expect(await locks.has('upload')).toBe(false)
})
