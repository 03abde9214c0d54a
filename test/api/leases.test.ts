/** A file on which another program holds a lease is refused for now, with the reason, and stays as it is. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

/** Holds a lease until its standard input ends; the kernel asks for it by a signal, which is ignored. */
const HOLDER = `
import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
file = os.open(sys.argv[1], os.O_RDWR)
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print('held', flush=True)
sys.stdin.read()`
const python = Bun.which('python3')
if (!python) process.stdout.write('No python3, which holds a lease for a test.\n')

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', name)

test.skipIf(!python)('a file with a lease of another program is 423', async () => {
  writeFileSync(disk('held.txt'), 'held')
  const holder = Bun.spawn([python ?? '', '-c', HOLDER, disk('held.txt')], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  try {
    const { value } = await holder.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toStartWith('held')
    const call = (method: string, path: string, body?: string) =>
      outcome(app.anna.call(method, path, body))
    expect(await call('GET', `${API.raw}/held.txt`)).toBe('423 locked')
    expect(await call('PUT', `${API.resources}/held.txt`, 'new')).toBe('423 locked')
    expect(await call('GET', `${API.resources}/held.txt?checksum=md5`)).toBe('423 locked')
    const copy = `${API.resources}/held.txt?action=copy&destination=/copied.txt`
    expect(await call('PATCH', copy)).toBe('423 locked')
    expect(existsSync(disk('copied.txt'))).toBe(false)
    const archive = await app.anna.call('GET', `${API.raw}/?algo=zip`)
    expect([archive.status, await archive.text()]).toEqual([
      423,
      '“held.txt”: Another program is using this file. Try again later.\n',
    ])
    const work = join(app.root, '.filemgr/work')
    for (const name of readdirSync(work)) expect(readdirSync(join(work, name))).toEqual([])
  } finally {
    holder.stdin.end()
    await holder.exited
  }
  expect(await outcome(app.anna.call('GET', `${API.raw}/held.txt`))).toBe('200')
  expect(readFileSync(disk('held.txt'), 'utf8')).toBe('held')
})
