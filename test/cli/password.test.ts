/** A new password is typed on a terminal without echo, or read from a pipe. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { cleanEnv, filemgr, runFilemgr } from '../support/server/executable.ts'

const OLD = 'correct horse battery'
const NEW = 'quite another päßword'
let folder: ReturnType<typeof temporaryFolder>
beforeEach(async () => {
  folder = temporaryFolder()
  await run('users', 'add', 'ana', OLD, '--perm.admin')
})
afterEach(() => folder.remove())

const at = (name: string) => join(folder.path, name)
const run = (...words: string[]) =>
  runFilemgr([...words, '--database', at('f.db')], { home: folder.path })
async function isPassword(password: string): Promise<boolean> {
  await run('users', 'export', at('u.json'))
  const [ana] = JSON.parse(readFileSync(at('u.json'), 'utf8'))
  return Bun.password.verify(password, ana.password)
}

/**
 * Types an answer to each question.
 *
 * @returns the exit code, and everything that was on the screen
 */
async function type(...answers: string[]): Promise<{ code: number; screen: string }> {
  let screen = ''
  let received = Promise.withResolvers<void>()
  const child = Bun.spawn(
    [...filemgr(), 'users', 'update', 'ana', '--password', '--database', at('f.db')],
    {
      env: cleanEnv(folder.path),
      terminal: {
        data(_, bytes) {
          screen += new TextDecoder().decode(bytes)
          received.resolve()
          received = Promise.withResolvers()
        },
      },
    },
  )
  for (const [index, answer] of answers.entries()) {
    const question = ['New password: ', 'Repeat the password: '][index] ?? ''
    while (!screen.includes(question)) await received.promise
    child.terminal?.write(answer)
  }
  return { code: await child.exited, screen }
}

describe('on a terminal', () => {
  test('a password is asked for twice on a terminal, and not shown', async () => {
    const { code, screen } = await type(`${NEW}x\u007f\r`, `${NEW}\r`)
    expect([code, await isPassword(NEW)]).toEqual([0, true])
    expect(screen).not.toContain('another')
  })

  test('two different passwords change nothing, and neither does Ctrl-C', async () => {
    const differing = await type(`${NEW}\r`, `${OLD}\r`)
    expect(differing.code).toBe(2)
    expect(differing.screen).toContain('The two passwords are not the same.')
    expect((await type('\u0003')).code).toBe(1)
    expect(await isPassword(OLD)).toBe(true)
  })
})

test('a password is read once through a pipe', async () => {
  const words = ['users', 'update', 'ana', '--password', '--database', at('f.db')]
  const { code } = await runFilemgr(words, { home: folder.path, input: `${NEW}\n` })
  expect([code, await isPassword(NEW)]).toEqual([0, true])
})
