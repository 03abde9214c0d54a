/** The rows of shares and of served folders. */
import { expect, test } from 'bun:test'
import { RootRows } from '#server/db/roots.ts'
import { ShareRows, type StoredShare } from '#server/db/rows/shares.ts'
import { parsePath } from '#wire/paths.ts'
import { type Given, insertUsers } from './fixture.ts'

const share = (hash: string, path: string, values: Partial<StoredShare> = {}): StoredShare => ({
  hash,
  userId: 1,
  path: parsePath(path),
  realPath: undefined,
  target: 'object',
  lostMs: 0,
  isFolder: true,
  expiresSec: 0,
  passwordHash: '',
  token: '',
  createdMs: 0,
  visits: 0,
  message: '',
  showsOwner: false,
  ...values,
})

export function describeShareRows(given: Given): void {
  const all = async () => {
    const listed = await new ShareRows(given.db).list()
    return listed.map(({ hash }) => hash).toSorted()
  }

  test('shares are found by a path and what is below it', async () => {
    await insertUsers(given.db, 1, 2)
    const rows = new ShareRows(given.db)
    for (const [hash, path] of [
      ['a', '/x'],
      ['b', '/x/ä'],
      ['c', '/x y'],
      ['d', '/x0'],
      ['e', '/X/e'],
    ] as const) {
      await rows.insert(share(hash, path))
    }
    await rows.insert(share('real', '/link', { realPath: parsePath('/x/real') }))
    await rows.insert(share('other', '/x', { userId: 2 }))
    const below = await rows.listBelow(1, parsePath('/x'))
    expect(below.map(({ hash }) => hash).toSorted()).toEqual(['a', 'b', 'real'])
    expect(await rows.listBelow(1, parsePath('/'))).toHaveLength(6)
    expect((await rows.owners()).toSorted()).toEqual([1, 2])
    expect(await rows.sizeOf(1)).toEqual({ count: 6, bytes: 30 })
    expect(await rows.sizeOf(3)).toEqual({ count: 0, bytes: 0 })
  })

  test('shares are changed, counted, lost and removed', async () => {
    await insertUsers(given.db, 1)
    const rows = new ShareRows(given.db)
    for (const hash of ['a', 'b', 'c']) await rows.insert(share(hash, `/${hash}`))
    await rows.change([{ hash: 'a', path: parsePath('/new'), realPath: parsePath('/r') }], ['b'])
    expect(await rows.find('a')).toEqual(
      share('a', '/new', { realPath: parsePath('/r'), target: '' }),
    )
    for (const ms of [5, 6]) await rows.setLost('a', ms)
    for (const hash of ['a', 'a', 'c']) await rows.countVisit(hash)
    expect(await rows.find('a')).toMatchObject({ lostMs: 5, visits: 2 })
    const resolved = { realPath: parsePath('/s'), target: 't', isFolder: false }
    await rows.setResolved('a', resolved)
    expect(await rows.find('a')).toMatchObject({ ...resolved, lostMs: 0 })
    await rows.insert(share('ended', '/e', { expiresSec: 5 }))
    await rows.removeExpired(5)
    expect(await all()).toEqual(['a', 'c'])
  })

  test('a served folder takes its path along, and another one at that path is forgotten', async () => {
    const rows = new RootRows(given.db)
    await given.db
      .query(
        `INSERT INTO journal (root, writer, at_ms, user_id, username, session, client, verb, path, target)
         VALUES ('/old', '', 0, 0, '', '', '', '', '', '')`,
      )
      .run()
    await rows.put('/old', 'one')
    await rows.put('/new', 'two')
    await rows.move('/old', '/new')
    expect([await rows.pathOf('one'), await rows.pathOf('two')]).toEqual(['/new', undefined])
    const moved = given.db.query<{ root: string }, []>('SELECT root FROM journal')
    expect(await moved.get()).toEqual({ root: '/new' })
    await rows.move('/unknown', '/new')
    await rows.move('/new', '/new')
    expect(await rows.identityAt('/new')).toBe('one')
    await rows.put('/third', 'one')
    await rows.put('/third', 'three')
    expect([await rows.identityAt('/new'), await rows.pathOf('one')]).toEqual([
      undefined,
      undefined,
    ])
    expect([await rows.identityAt('/third'), await rows.hasTrash('/third')]).toEqual([
      'three',
      false,
    ])
  })

  test('shares look again when everything in a served folder was copied', async () => {
    await insertUsers(given.db, 1)
    const [roots, shares] = [new RootRows(given.db), new ShareRows(given.db)]
    await shares.insert(share('a', '/a'))
    await roots.put('/r', 'one')
    const targetAfter = async (object: string) => {
      await roots.setObject('one', object)
      return (await shares.find('a'))?.target
    }
    expect(await targetAfter('1@1')).toBe('object')
    expect(await targetAfter('1@1')).toBe('object')
    expect(await targetAfter('2@1')).toBe('')
  })
}
