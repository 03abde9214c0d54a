/** Commands of several administrators at the same time: each change of a list is kept. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'

const folder = temporaryFolder()
const database = join(folder.path, 'f.db')
const NUMBERS = Array.from({ length: 8 }, (_, number) => number)

const run = (...words: string[]) =>
  runFilemgr([...words, '--database', database], { home: folder.path })
const listed = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)

/** Runs one command for each number, all at the same time. */
async function runAtOnce(wordsOf: (number: number) => string[]): Promise<void> {
  const results = await Promise.all(NUMBERS.map((number) => run(...wordsOf(number))))
  expect(results.map(({ code }) => code)).toEqual(NUMBERS.map(() => 0))
}

beforeAll(async () => {
  await run('users', 'add', 'anna', 'a long password')
})
afterAll(() => folder.remove())

test('rules for all users that several commands add at once are all kept @spec-10.2', async () => {
  await runAtOnce((number) => ['rules', 'add', `/${number}`])
  const paths = (await listed('rules', 'ls')).map(({ path }: { path: string }) => path)
  expect(paths.sort()).toEqual(NUMBERS.map((number) => `/${number}`))
})

test('rules for one user that several commands add at once are all kept @spec-10.2', async () => {
  await runAtOnce((number) => ['rules', 'add', `/${number}`, '--user', 'anna'])
  const rules = await listed('rules', 'ls', '--user', 'anna')
  expect(rules.map(({ path }: { path: string }) => path).sort()).toEqual(
    NUMBERS.map((number) => `/${number}`),
  )
})

test('event commands that several commands add at once are all kept @spec-10.2', async () => {
  await runAtOnce((number) => ['cmds', 'add', 'after_upload', `true ${number}`])
  const { after_upload: lines } = await listed('cmds', 'ls')
  expect(lines.sort()).toEqual(NUMBERS.map((number) => `true ${number}`))
})
