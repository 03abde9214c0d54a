import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { openLogFile } from '#server/http/observation/log-file.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

test('a full log file is renamed, and ten old ones are kept for a limited time @limit-89', () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'log')
  const write = openLogFile(path, 20)
  for (let number = 0; number < 30; number += 1) write(`line number ${number}\n`)
  expect(readFileSync(path, 'utf8')).toBe('line number 29\n')
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('line number 28\n')
  expect(existsSync(`${path}.10`)).toBe(true)
  expect(existsSync(`${path}.11`)).toBe(false)
  expect(statSync(path).mode & 0o777).toBe(0o640)
  utimesSync(`${path}.3`, 0, 0)
  write('the last line of all\n')
  expect(existsSync(`${path}.4`)).toBe(false)
  expect(readFileSync(`${path}.5`, 'utf8')).toBe('line number 25\n')
  folder.remove()
})

test('an existing log file is continued', () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'log')
  openLogFile(path)('one\n')
  openLogFile(path)('two\n')
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  folder.remove()
})

test('log lines that cannot be written are counted, and no request fails', () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'log')
  const write = openLogFile(path)
  rmSync(path)
  mkdirSync(path)
  write('one\n')
  write('two\n')
  rmdirSync(path)
  write('three\n')
  write('four\n')
  expect(readFileSync(path, 'utf8')).toBe('(2 lines could not be written)\nthree\nfour\n')
  folder.remove()
})

test('a full log file that cannot be renamed is continued, and says so', () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'log')
  // A folder in the place of the oldest file cannot be removed like a file.
  mkdirSync(`${path}.10`)
  const write = openLogFile(path, 1000)
  const [one, two] = ['1', '2'].map((digit) => `${digit.repeat(700)}\n`) as [string, string]
  for (const line of [one, two, 'end\n']) write(line)
  const notice = '(this full log file could not be renamed)\n'
  expect(readFileSync(path, 'utf8')).toBe(`${one}${notice}${two}end\n`)
  folder.remove()
})
