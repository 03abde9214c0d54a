import { expect, test } from 'bun:test'
import { UploadTurns } from '#server/files/upload-turns.ts'

test('the later request ends the earlier, and begins when that has ended', async () => {
  const turns = new UploadTurns()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.run('upload', async (stop) => {
    const { promise: told, resolve } = Promise.withResolvers<void>()
    stop.addEventListener('abort', () => resolve())
    seen.push('first begins')
    await told
    // What was written so far is put in order.
    await gate.promise
    seen.push('first ends')
  })
  const second = turns.run('upload', async (stop) => {
    seen.push('second begins')
    expect(stop.aborted).toBe(false)
  })
  await turns.run('another upload', async () => void seen.push('another'))
  await new Promise(setImmediate)
  expect(seen).toEqual(['first begins', 'another'])
  expect(turns.has('upload')).toBe(true)
  gate.resolve()
  await Promise.all([first, second])
  expect(seen).toEqual(['first begins', 'another', 'first ends', 'second begins'])
  expect(turns.has('upload')).toBe(false)
})

test('work that fails has ended, too', async () => {
  const turns = new UploadTurns()
  const broken = turns.run('upload', () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
  expect(turns.has('upload')).toBe(false)
})
