/** `npm start` from any folder: relative paths begin at the folder of the caller (README.md, Quick start). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'
import { type Printed, printedBy } from '../support/server/printed.ts'
import { type Installed, install } from './installed.ts'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => {
  for (const { pid } of started) if (pid !== undefined) killGroup(pid)
  installed.remove()
})

const started: ChildProcess[] = []

/** Kills the processes that a failed test has not stopped. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All processes of the group have ended already.
  }
}

/** Runs `npm start` as the leader of a process group, as a terminal does. */
function npmStart(cwd: string): {
  npm: ChildProcess
  printed: Printed
  ended: Promise<number | null>
} {
  const args = ['--prefix', REPO_ROOT, 'start', '--silent', '--', './data', '--port', '0']
  const npm = spawn('npm', [...args, '--database', './filemgr.db'], {
    cwd,
    detached: true,
    env: { PATH: process.env.PATH ?? '', HOME: cwd },
  })
  started.push(npm)
  // `close` comes when all processes with npm's output have ended, also the server.
  const ended = new Promise<number | null>((done) => npm.on('close', done))
  return { npm, printed: printedBy(npm), ended }
}

test('npm start serves a relative root below the folder of the caller', async () => {
  const cwd = installed.makeFolder('caller')
  writeFileSync(join(installed.makeFolder('caller/data'), 'here.txt'), 'here')
  const { npm, printed, ended } = npmStart(cwd)
  const url = await printed.first(/^(http\S+)\r?\n/m)
  const password = await printed.first(/password: (\S+)\r?\n/m)

  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password }),
  })
  const headers = { 'X-Auth': await login.text() }
  const file = await fetch(`${url}/api/raw/here.txt`, { headers })
  expect(await file.text()).toBe('here')

  npm.kill('SIGTERM')
  await ended
})

test('npm start creates a root that does not exist below the folder of the caller', async () => {
  const cwd = installed.makeFolder('first')
  const { npm, printed, ended } = npmStart(cwd)
  await printed.first(/^(http\S+)\r?\n/m)
  expect(statSync(join(cwd, 'data')).isDirectory()).toBe(true)
  npm.kill('SIGTERM')
  await ended
})

test('npm start reports a root that cannot be created before it builds anything', () => {
  // A folder without sources: a build would fail with another message.
  const checkout = installed.makeFolder('checkout')
  const scripts = installed.makeFolder('checkout/scripts')
  for (const name of ['start.mjs', 'bootstrap.mjs', 'spawned.mjs']) {
    copyFileSync(join(REPO_ROOT, 'scripts', name), join(scripts, name))
  }
  const start = ['node', join(scripts, 'start.mjs'), './none/data']
  const { INIT_CWD: _, ...env } = process.env
  const { exitCode, stderr } = Bun.spawnSync(start, { cwd: checkout, env })
  expect([exitCode, stderr.toString()]).toEqual([
    4,
    'The folder ./none/data does not exist and cannot be created. Name another one.\n',
  ])
})

// With Ctrl-C, the server receives the signal twice: from the terminal and from npm.
test.each(['SIGINT', 'SIGTERM'] as const)('%s ends npm and the server', async (signal) => {
  const cwd = installed.makeFolder(`signal-${signal}`)
  installed.makeFolder(`signal-${signal}/data`)
  const { npm, printed, ended } = npmStart(cwd)
  const url = await printed.first(/^(http\S+)\r?\n/m)
  if (signal === 'SIGINT') process.kill(-(npm.pid ?? 0), signal)
  else npm.kill(signal)
  // The exit code is that of npm's shell, which the signal may have ended too.
  expect([0, null]).toContain(await ended)
  await expect(fetch(url)).rejects.toThrow()
})
