/** The saved index: after a restart, with a damaged file, and with too little memory. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { ROOT } from '#wire/paths.ts'
import { scopeOn } from '../../support/files/archives.ts'
import { found, indexForEach } from '../../support/storage/indexed.ts'

const indexed = indexForEach((disk) => {
  mkdirSync(disk('a/b'), { recursive: true })
  writeFileSync(disk('a/b/report'), '12345')
})
const { disk } = indexed
const reports = () => found(scopeOn(indexed.storage), 'report')

test('a saved index is loaded, and files that were added without a server are found @spec-7.46', async () => {
  const before = statSync(indexed.index.file)
  expect(before.mode & 0o777).toBe(0o600)
  writeFileSync(disk('a/report 2'), '')
  await indexed.restart()
  expect(await reports()).toEqual({ paths: ['a/b/report', 'a/report 2'], indexed: true })
  // It was read, and not created again.
  expect(statSync(indexed.index.file).ino).toBe(before.ino)
  expect(indexed.logged).toEqual([])
})

test('after the thread of the index has ended, the next search starts another one', async () => {
  await reports()
  await indexed.index.saveAndEnd()
  expect(indexed.index.status).toMatchObject({ state: 'waiting', memoryBytes: 0 })
  writeFileSync(disk('a/report 2'), '')
  expect(await reports()).toEqual({ paths: ['a/b/report', 'a/report 2'], indexed: true })
})

test('the thread of an index that is built and never used ends, and frees its memory', async () => {
  await indexed.restart({ idleMs: 50 })
  while (indexed.index.status.state !== 'waiting') await Bun.sleep(10)
  expect(indexed.index.status.memoryBytes).toBe(0)
  expect(await reports()).toEqual({ paths: ['a/b/report'], indexed: true })
})

test('the thread ends also if its time is over during a search', async () => {
  await indexed.restart({ idleMs: 50 })
  const search = await indexed.index.find(ROOT, 'report')
  await Bun.sleep(100)
  expect(indexed.index.status.state).not.toBe('waiting')
  search?.cancel()
  while (indexed.index.status.state !== 'waiting') await Bun.sleep(10)
})

const flipBit = (bytes: Buffer) => {
  const at = bytes.length - 20
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}
const DAMAGES: [string, (bytes: Buffer) => Buffer | string, RegExp][] = [
  ['one bit of the file has changed', flipBit, /is damaged/],
  ['the end of the file is missing', (bytes) => bytes.subarray(0, bytes.length - 9), /is cut off/],
  ['the file has other content', () => 'a text of somebody', /is no index of names/],
  ['the file is empty', () => '', /is no index of names/],
  [
    'the file is of another version',
    (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('"madeFrom":"1 ', '"madeFrom":"0 '), 'latin1'),
    /is of another tree or version/,
  ],
]

test.each(DAMAGES)(
  'if %s, the index is built again, with a line in the log @spec-7.46',
  async (_, damage, line) => {
    const { file } = indexed.index
    const before = readFileSync(file)
    indexed.index.close()
    writeFileSync(file, damage(Buffer.from(before)))
    await indexed.restart()
    await indexed.index.ready()
    expect(await reports()).toEqual({ paths: ['a/b/report'], indexed: true })
    expect(indexed.logged.join('\n')).toMatch(line)
    await indexed.restart()
    await reports()
    expect(indexed.logged).toHaveLength(1)
  },
)

test('a tree that is too large for the index is searched folder by folder @limit-46', async () => {
  const { file } = indexed.index
  indexed.index.close()
  writeFileSync(file, '')
  for (let folder = 0; folder < 20; folder += 1) {
    mkdirSync(disk(`${folder}`))
    for (let name = 0; name < 50; name += 1) writeFileSync(disk(`${folder}/report ${name}`), '')
  }
  await indexed.restart({ memoryBytes: 50_000 })
  await indexed.index.ready()
  const { paths, indexed: byIndex } = await reports()
  expect(byIndex).toBe(false)
  expect(paths).toHaveLength(1001)
  expect(indexed.index.status).toMatchObject({ state: 'tooLarge', names: 0 })
  expect(indexed.logged.at(-1)).toContain('needs more than')
  expect(existsSync(file)).toBe(false)
})

test('the folder of the saved index is accessible only to the server, and contains one file', () => {
  expect(readdirSync(`${indexed.path}/cache`)).toHaveLength(1)
  expect(statSync(`${indexed.path}/cache`).mode & 0o777).toBe(0o700)
})
