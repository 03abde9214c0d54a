/** The sign-in command: its time, output, environment and processes are limited. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOOK_LIMITS, runSignInHook } from '#server/accounts/sign-in/sign-in-hook.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const credentials = { username: 'ana', password: 'x' }
function program(name: string, script: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}
const ask = (command: string, limits: Partial<typeof HOOK_LIMITS> = {}) =>
  runSignInHook(command, credentials, undefined, { ...HOOK_LIMITS, ...limits })

test('a sign-in command that takes too long is ended with all its processes', async () => {
  const pids = join(folder.path, 'pids')
  // The child holds the output open, whatever becomes of its parent.
  const slow = program('slow', `sleep 4545 & echo $! $$ > ${pids}; wait`)
  const asked = ask(slow, { timeMs: 1000 })
  expect(await asked.catch((error: Error) => error.message)).toBe(
    'The sign-in command failed. The log of the server says why.',
  )
  for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) {
    while (existsSync(`/proc/${pid}`)) await Bun.sleep(10)
  }
})

test('a sign-in command is complete even if a process that it started keeps its output open', async () => {
  const pid = join(folder.path, 'pid')
  const parent = program('daemon', `setsid sleep 4546 & echo $! > ${pid}; echo hook.action=auth`)
  expect(await ask(parent)).toMatchObject({ action: 'auth' })
  const hanging = program('hanging', `setsid sleep 4547 & echo $! > ${pid}2; sleep 4548`)
  expect(await ask(hanging, { timeMs: 500 }).catch((error: Error) => error.message)).toBe(
    'The sign-in command failed. The log of the server says why.',
  )
  for (const file of [pid, `${pid}2`]) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
}, 20_000)

test('a sign-in command with endless output is ended @limit-41', async () => {
  const failure = await ask(program('loud', 'exec cat /dev/zero')).catch((error: Error) => error)
  expect(failure).toHaveProperty('cause.message', 'it wrote too much')
})

test('the limit for the output of a sign-in command counts bytes', async () => {
  const asked = ask(program('wide', `printf 'a=%s' '${'\u4e16'.repeat(10)}'`), { outputBytes: 31 })
  expect(await asked.catch((error: Error) => error)).toHaveProperty(
    'cause.message',
    'it wrote too much',
  )
})

test('the output of a failed sign-in command is ignored', async () => {
  await expect(ask(program('failing', 'echo hook.action=auth; exit 1'))).rejects.toThrow('failed')
  await expect(ask(program('killed', 'echo hook.action=auth; kill -9 $$'))).rejects.toThrow(
    'failed',
  )
  expect(await ask(program('fine', 'echo hook.action=auth'))).toMatchObject({ action: 'auth' })
})

test('no sign-in command is started for a client that has disconnected', async () => {
  const spawn = spyOn(Bun, 'spawn')
  const asked = runSignInHook(
    program('late', 'echo hook.action=auth'),
    credentials,
    AbortSignal.abort(),
  )
  await expect(asked).rejects.toThrow('closed the connection')
  expect(spawn).not.toHaveBeenCalled()
  spawn.mockRestore()
})

test('a sign-in command without a usable output refuses the sign-in', async () => {
  for (const script of ['echo', 'echo hook.action=', 'echo hook.action=admin', 'echo auth']) {
    await expect(ask(program('vague', script))).rejects.toThrow('failed')
  }
})

test('the environment of a sign-in command contains only user name, password and basic variables', async () => {
  const out = join(folder.path, 'printed')
  process.env.SECRET_OF_THE_SERVER = 'x'
  await ask(program('env', `env > ${out}; echo hook.action=pass`))
  delete process.env.SECRET_OF_THE_SERVER
  const names = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0] ?? '')
  // A shell adds the last three.
  const known = ['HOME', 'LANG', 'PASSWORD', 'PATH', 'USERNAME', 'PWD', 'SHLVL', '_']
  expect(names.filter((name) => !known.includes(name))).toEqual([])
  expect(readFileSync(out, 'utf8')).toContain('USERNAME=ana')
})

test('processes that a sign-in command has left running are ended after its response', async () => {
  const pid = join(folder.path, 'left')
  const script = `sleep 4646 > /dev/null & echo $! > ${pid}; echo hook.action=auth`
  expect(await ask(program('leaves', script))).toMatchObject({ action: 'auth' })
  while (existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}`)) await Bun.sleep(10)
})
