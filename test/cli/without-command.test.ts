/** `filemgr` without a command, as containers start it. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { filemgr, runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(at('srv'))
})
afterEach(() => folder.remove())

const at = (name: string) => join(folder.path, name)
/** Runs the program without the arguments that the helper adds. */
const ALONE: [string, ...string[]] = ['sh', '-c', `exec ${filemgr().join(' ')}`, 'sh']

async function serves(env: Record<string, string>, cwd: string): Promise<string> {
  const server = await startServer({ program: ALONE, cwd, env: { HOME: folder.path, ...env } })
  const { status } = await fetch(`${server.url}/health`)
  await server.stop()
  return `${status}`
}

describe('serves', () => {
  test.each([
    [
      'File Browser’s variables',
      () => ({ FB_ROOT: at('srv'), FB_PORT: '0', FB_DATABASE: at('f.db') }),
    ],
    ['our variables', () => ({ FILEMGR_ROOT: at('srv'), FILEMGR_PORT: '0' })],
    [
      'a file that a variable names',
      () => {
        writeFileSync(at('c.yaml'), `root: ${at('srv')}\nport: 0\n`)
        return { FILEMGR_CONFIG: at('c.yaml') }
      },
    ],
    [
      'the file of the account',
      () => {
        mkdirSync(at('.config/filemgr'), { recursive: true })
        writeFileSync(at('.config/filemgr/config.yaml'), `root: ${at('srv')}\nport: 0\n`)
        return {}
      },
    ],
  ])('filemgr without a command serves with %s', async (_, env) => {
    expect(await serves(env(), folder.path)).toBe('200')
  })
})

test('filemgr without a command says why a file in the working folder is not read, and prints the usage', async () => {
  mkdirSync(at('here'))
  const file = at('here/.filebrowser.json')
  writeFileSync(file, JSON.stringify({ root: at('srv'), port: 0 }))
  chmodSync(file, 0o666)
  const { code, stderr } = await runFilemgr([], { home: folder.path, cwd: at('here') })
  expect(code).toBe(2)
  expect(stderr).toContain('.filebrowser.json is not read, because other users can write to it')
  expect(stderr).toContain('Usage: filemgr')
})

test('without sign-in the first start shows no password, and says so', async () => {
  const server = await startServer({ args: ['--noauth'] })
  await server.says(
    /^Sign-in is off: everyone who can reach this server acts as admin, with every permission\.$/m,
  )
  await server.says(
    /^Before you turn sign-in on, .*filemgr users update admin --password NEW --database \S+$/m,
  )
  expect(server.output()).not.toContain('Administrator')
  await server.stop()
})

test('filemgr without a command and options prints the usage, and has the exit code of wrong usage', async () => {
  const none = await runFilemgr([], { home: folder.path })
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('Usage: filemgr')
  const empty = await runFilemgr([], {
    home: folder.path,
    env: { FB_ROOT: '', FBX: '1', FB_HELLO: '1' },
  })
  expect(empty.code).toBe(2)
  const unfinished = await runFilemgr(['users'], { home: folder.path })
  expect(unfinished.code).toBe(2)
  const asked = await runFilemgr(['--help'], { home: folder.path })
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  expect(asked.stdout).toContain('Usage: filemgr')
  expect((await runFilemgr(['help', 'serve'], { home: folder.path })).code).toBe(0)
})

test.each(['--version', '-V'])('%s prints the version, like the command', async (flag) => {
  const [asFlag, asCommand] = await Promise.all(
    [flag, 'version'].map((word) => runFilemgr([word], { home: folder.path })),
  )
  expect(asFlag).toMatchObject({ code: 0, stderr: '' })
  expect(asFlag?.stdout).toBe(asCommand?.stdout ?? '')
})
