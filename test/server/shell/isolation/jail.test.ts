import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Isolation, Policy } from '#server/shell/isolation/policy.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { cleanEnv, filemgr } from '../../../support/server/executable.ts'
import { makeJailFolders, jailed as runJailed } from '../../../support/system/jail.ts'

let folder: ReturnType<typeof temporaryFolder>
let top: string

beforeEach(() => {
  folder = temporaryFolder()
  top = join(folder.path, 'top')
  makeJailFolders(folder.path)
  for (const path of ['top/own/deep', 'beside']) {
    mkdirSync(join(folder.path, path), { recursive: true })
  }
  writeFileSync(join(top, 'in.txt'), 'in\n')
  writeFileSync(join(top, 'own/deep/secret'), 'secret\n')
  writeFileSync(join(folder.path, 'beside/out.txt'), 'out\n')
  chmodSync(join(folder.path, 'beside/out.txt'), 0o600)
})

afterEach(() => folder.remove())

const jailed = (isolation: Isolation, script: string, change?: Partial<Policy>) =>
  runJailed(folder.path, isolation, script, change)

describe.each<Isolation>(['root', 'landlock'])('with the isolation “%s”', (isolation) => {
  const out = async (script: string, change?: Partial<Policy>) =>
    (await jailed(isolation, script, change)).out

  test('a jailed program can read and change the files in its folder', async () => {
    const script =
      'pwd; cat ../in.txt; echo new > made; mkdir d; mv made d; chmod 640 d/made; touch d'
    const { out, err, code } = await jailed(
      isolation,
      isolation === 'root' ? script : withoutMetadata(script),
    )
    expect({ answer: out, err, code }).toEqual({ answer: `${top}/sub\nin\n`, err: '', code: 0 })
    expect(readFileSync(join(top, 'sub/d/made'), 'utf8')).toBe('new\n')
  })

  test('a jailed program cannot read, write, remove, link or move anything outside', async () => {
    const beside = join(folder.path, 'beside')
    const scripts = ['cat %/out.txt', 'ls %', 'echo x > %/out.txt', 'echo x > %/new', 'rm -r %']
    const more = ['ln %/out.txt here', 'mv %/out.txt here', 'mkdir %/d', 'cat ../../beside/out.txt']
    for (const command of [...scripts, ...more]) {
      const script = command.replaceAll('%', beside)
      expect([command, (await jailed(isolation, script)).code]).not.toEqual([command, 0])
    }
    expect(readFileSync(join(beside, 'out.txt'), 'utf8')).toBe('out\n')
  })

  test('a jailed program cannot change the metadata of files outside', async () => {
    const path = join(folder.path, 'beside/out.txt')
    const before = statSync(path)
    await jailed(isolation, `chmod 666 ${path}; touch -d 2001-01-01 ${path}; truncate -s 1 ${path}`)
    await jailed(isolation, `perl -e 'utime 1, 1, "${path}"; chown 1, 1, "${path}"'`)
    await jailed(isolation, `perl -e 'truncate "${path}", 0; chmod 0666, "${path}"'`)
    const { mode, size, mtimeMs, uid } = statSync(path)
    expect({ mode, size, mtimeMs, uid }).toEqual({
      mode: before.mode,
      size: before.size,
      mtimeMs: before.mtimeMs,
      uid: before.uid,
    })
  })

  test('a jailed program cannot leave its session, and can signal no process outside', async () => {
    expect(await out('setsid echo left')).toBe('')
    expect(await out(`kill -0 ${process.pid} && echo reached`)).toBe('')
    expect(await out('sleep 5 & kill $! && echo reached')).toBe('reached\n')
  })

  test('a jailed program has no sockets, and with network access no unix sockets', async () => {
    const socketTest = (family: string) =>
      `perl -MSocket -e 'print socket(S, ${family}, SOCK_STREAM, 0) ? "yes" : "no"'`
    expect(await out(socketTest('PF_INET'))).toBe('no')
    expect(await out(socketTest('PF_INET'), { network: true })).toBe('yes')
    expect(await out(socketTest('PF_INET6'), { network: true })).toBe('yes')
    expect(await out(socketTest('PF_UNIX'), { network: true })).toBe('no')
  })

  test('a program that the administrator names by its absolute path may be outside the system folders', async () => {
    const tool = join(folder.path, 'beside/tool')
    writeFileSync(tool, '#!/bin/sh\necho "tool $1"\n', { mode: 0o755 })
    expect(await out('', { argv: [tool, 'runs'] })).toBe('tool runs\n')
    expect(await out(`${tool} runs`)).toBe('')
  })

  test('a missing program ends with the exit code of a shell', async () => {
    expect(await jailed(isolation, '', { argv: ['no-such-program'] })).toMatchObject({ code: 127 })
    expect(await jailed(isolation, '', { argv: ['../in.txt'] })).toMatchObject({ code: 126 })
  })

  test('a jailed program is not started in a folder that became a symbolic link', async () => {
    symlinkSync('sub', join(top, 'link'))
    const { code, err } = await jailed(isolation, 'pwd', { folder: '/link' })
    expect(code).toBe(125)
    expect(err).toContain('openat2')
  })

  test('a jailed program is not started if its root folder was replaced', async () => {
    const { code, out } = await jailed(isolation, 'pwd', {
      rootFolder: join(folder.path, 'beside'),
    })
    expect({ code, answer: out }).toEqual({ code: 125, answer: '' })
  })
})

test('a hidden folder is empty for a jailed program, which can neither change nor move it', async () => {
  const script =
    'cd ..; ls -A own/deep; cat own/deep/secret; mv own away; mv own/deep own/x; rm -rf own; echo x > own/deep/y; ls; touch own/beside'
  const { out } = await jailed('root', script, { hidden: ['/own/deep'] })
  expect(out).toBe('in.txt\nown\nsub\n')
  expect(readFileSync(join(top, 'own/deep/secret'), 'utf8')).toBe('secret\n')
  expect(statSync(join(top, 'own/beside')).isFile()).toBe(true)
})

test('a jailed program that starts in a hidden folder sees an empty folder', async () => {
  const change = { hidden: ['/own/deep'], folder: '/own/deep' }
  expect((await jailed('root', 'ls -A; cat secret', change)).out).toBe('')
})

test('the command jail fails without a policy', async () => {
  const child = Bun.spawn([...filemgr(), 'jail'], {
    env: cleanEnv(folder.path),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(await child.exited).toBe(125)
})

/** The script for a program without a private root, which cannot change modes and times by a path. */
function withoutMetadata(script: string): string {
  return script.replace('; chmod 640 d/made; touch d', '')
}
