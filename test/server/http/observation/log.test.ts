import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '#server/http/observation/log.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

test('every part of a log line has a maximum length, and none contains a line break', () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'log')
  const logger = createLogger(path)
  const long = `${'x'.repeat(50)}\n\r\u001b[31m${'y'.repeat(20_000)}`
  logger.refused(`/${long}`, 403, '192.0.2.1', new Fault('forbidden', long))
  logger.refused('/a', 500, '192.0.2.1', new Fault('internal', '', { cause: new Error(long) }))
  logger.logLine('after_upload', long)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  const [refused = '', failed = '', ofCommand = ''] = lines
  // A line has a time, an address and a status besides the parts.
  expect(refused.length).toBeLessThan(512 + 4096 + 100)
  expect(/\/(\S*): 403/.exec(refused)?.[1]).toHaveLength(511)
  for (const line of [failed, ofCommand]) expect(line.length).toBeLessThan(4096 + 100)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f]/)
  folder.remove()
})
