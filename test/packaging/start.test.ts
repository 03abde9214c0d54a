/** `npm start`, as the README says it: from anywhere, with paths meant from there. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'
import { type Printed, printedBy } from '../support/printed.ts'
import { type Installed, install } from './installed.ts'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => {
  for (const { pid } of started) killGroup(pid ?? 0)
  installed.remove()
})

const started: ChildProcess[] = []

/** Whatever a failed test left running. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The group has ended, as it should.
  }
}

/** npm as the leader of its own process group, the way a terminal starts it. */
function npmStart(cwd: string): {
  npm: ChildProcess
  printed: Printed
  ended: Promise<number | null>
} {
  const words = ['--prefix', REPO_ROOT, 'start', '--silent', '--', './data', '--port', '0']
  const npm = spawn('npm', [...words, '--database', './filemgr.db'], {
    cwd,
    detached: true,
    env: { PATH: process.env.PATH ?? '', HOME: cwd },
  })
  started.push(npm)
  // `close` comes when every process that holds npm's output has ended, the server among them.
  const ended = new Promise<number | null>((done) => npm.on('close', done))
  return { npm, printed: printedBy(npm), ended }
}

test('a relative root is taken from the caller’s folder', async () => {
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

test('a root that does not exist is created in the caller’s folder', async () => {
  const cwd = installed.makeFolder('first')
  const { npm, printed, ended } = npmStart(cwd)
  await printed.first(/^(http\S+)\r?\n/m)
  expect(statSync(join(cwd, 'data')).isDirectory()).toBe(true)
  npm.kill('SIGTERM')
  await ended
})

test('a root that cannot be created is reported before anything is built', () => {
  // A checkout with nothing that could be built.
  const checkout = installed.makeFolder('checkout')
  const script = join(installed.makeFolder('checkout/scripts'), 'start.sh')
  copyFileSync(join(REPO_ROOT, 'scripts/start.sh'), script)
  const { exitCode, stderr } = Bun.spawnSync(['sh', script, './none/data'], { cwd: checkout })
  expect([exitCode, stderr.toString()]).toEqual([
    4,
    'The folder ./none/data does not exist and cannot be created. Name another one.\n',
  ])
})

// Ctrl-C reaches the server twice: from the terminal, and passed on by npm.
test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the server with npm, calmly', async (signal) => {
  const cwd = installed.makeFolder(`signal-${signal}`)
  installed.makeFolder(`signal-${signal}/data`)
  const { npm, printed, ended } = npmStart(cwd)
  const url = await printed.first(/^(http\S+)\r?\n/m)
  if (signal === 'SIGINT') process.kill(-(npm.pid ?? 0), signal)
  else npm.kill(signal)
  expect(await ended).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})
