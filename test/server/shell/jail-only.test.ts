/** A program that is given one file, as what draws pictures of films is. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Isolation } from '#server/shell/policy.ts'
import { jailed, makeJailFolders } from '../../support/jail.ts'
import { temporaryFolder } from '../../support/tree.ts'

setDefaultTimeout(30_000)

let folder: ReturnType<typeof temporaryFolder>
const top = (...names: string[]) => join(folder.path, 'top', ...names)

beforeEach(() => {
  folder = temporaryFolder()
  makeJailFolders(folder.path)
  writeFileSync(top('sub/-one: it.txt'), 'one\n')
  writeFileSync(top('sub/other.txt'), 'other\n')
  writeFileSync(top('above.txt'), 'above\n')
})
afterEach(() => folder.remove())

describe.each<Isolation>(['root', 'landlock'])('behind the walls “%s” it', (isolation) => {
  const run = (script: string, only = '-one: it.txt') =>
    jailed(folder.path, isolation, `{ ${script}; } 2>/dev/null; true`, { only })

  test('reads that file', async () => {
    expect((await run('pwd; cat "./-one: it.txt"')).out).toBe(`${top('sub')}\none\n`)
  })

  test('reads no other', async () => {
    expect((await run('cat other.txt ../above.txt /etc/passwd')).out).toBe('')
    expect((await run('ls -A; ls -A ..')).out).toBe('')
    // Behind these walls there is nothing else to name, either.
    const known = await run('test -e other.txt && echo there; test -e ../above.txt && echo there')
    expect(known.out).toBe(isolation === 'root' ? '' : 'there\nthere\n')
  })

  test('writes nothing', async () => {
    const tmp = join(folder.path, 'tmp')
    await run(`echo x >> "./-one: it.txt"; echo x > new; echo x > ../new; echo x > ${tmp}/new`)
    await run('rm -f "./-one: it.txt" other.txt; mv "./-one: it.txt" away; mkdir d; ln other.txt l')
    expect(readdirSync(top('sub')).sort()).toEqual(['-one: it.txt', 'other.txt'])
    expect([readdirSync(top()).sort(), readdirSync(tmp)]).toEqual([['above.txt', 'sub'], []])
    expect(readFileSync(top('sub/-one: it.txt'), 'utf8')).toBe('one\n')
  })

  test('is not started for a link, nor for what is not there', async () => {
    symlinkSync('../above.txt', top('sub/link'))
    for (const name of ['link', 'missing']) {
      const { code, out } = await jailed(folder.path, isolation, 'cat link', { only: name })
      expect([name, code, out]).toEqual([name, 125, ''])
    }
  })

  test('starts in the top folder, too', async () => {
    mkdirSync(top('own/deep'), { recursive: true })
    const change = { only: 'above.txt', folder: '/', hidden: ['/own/deep'] }
    expect((await jailed(folder.path, isolation, 'cat above.txt', change)).out).toBe('above\n')
  })
})
