import { expect, test } from 'bun:test'
import { SystemError } from '#server/os/errno.ts'
import { toFault } from '#server/storage/local/handles/faults.ts'

const sentence = (call: string, errno: string, platform: NodeJS.Platform) => {
  const { code, message } = toFault(new SystemError(call, errno), platform)
  return `${code}: ${message}`
}

test('on Windows, a file that another program keeps open is locked, with a sentence', () => {
  expect(sentence('open', 'EBUSY', 'win32')).toBe(
    'locked: Another program is using this file. Try again later.',
  )
  expect(sentence('rename', 'EPERM', 'win32')).toBe(
    'locked: Another program is using this, or Windows protects it.',
  )
})

test('what Windows gives no other meaning means the same as on Linux', () => {
  for (const [call, errno] of [
    ['open', 'EPERM'],
    ['rename', 'ENOENT'],
  ] as const) {
    expect(sentence(call, errno, 'win32')).toBe(sentence(call, errno, 'linux'))
  }
  expect(sentence('open', 'EBUSY', 'linux')).toBe('locked: The system is using this.')
})
