/** The rows of accounts: settings, users, sessions, app passwords, second factors, personal data, counters of failures. */
import { describe, expect, test } from 'bun:test'
import { AppPasswordRows } from '#server/db/rows/app-passwords.ts'
import { FailureRows } from '#server/db/rows/failures.ts'
import { InvitationRows } from '#server/db/rows/invitations.ts'
import { PasskeyRows } from '#server/db/rows/passkeys.ts'
import { PersonalRows } from '#server/db/rows/personal.ts'
import { SecondFactorRows } from '#server/db/rows/second-factors.ts'
import { type SessionIdentity, SessionRows } from '#server/db/rows/sessions.ts'
import { SettingRows } from '#server/db/rows/settings.ts'
import { type NewUser, UserRows } from '#server/db/rows/users.ts'
import { WriteCheck } from '#server/db/rows/write-check.ts'
import { DEFAULT_SETTINGS } from '#server/settings/defaults.ts'
import { preferencesOf } from '#wire/api/user.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { countOf, type Given, insertUsers } from './fixture.ts'

const FUTURE_MS = Date.now() + 1_000_000

function user(username: string): NewUser {
  const preferences = preferencesOf(DEFAULT_SETTINGS.defaults)
  const rights = { perm: permissionsOf('create'), commands: ['ls'], rules: [], lockPassword: true }
  return { ...preferences, ...rights, username, passwordHash: 'hash', scope: '/' }
}

export function describeAccountRows(given: Given): void {
  test('a setting is stored, replaced and ensured', async () => {
    const rows = new SettingRows(given.db)
    expect(await rows.find('a')).toBeUndefined()
    expect(await rows.ensure('a', { b: [1] })).toEqual({ b: [1] })
    expect(await rows.ensure('a', 2)).toEqual({ b: [1] })
    await rows.put('a', 'text')
    await rows.put('b', null)
    expect([await rows.find('a'), await rows.find('b')]).toEqual(['text', null])
    await new WriteCheck(rows, given.db).run()
    expect(await rows.find('writeCheck')).toBeNumber()
  })

  describe('users', () => {
    test('have ids in order, also after one that was given', async () => {
      const rows = new UserRows(given.db)
      const [anna, bert] = [await rows.insert(user('anna')), await rows.insert(user('bert'), 7)]
      const carl = await rows.insert(user('carl'))
      expect([anna.id, bert.id, carl.id]).toEqual([1, 7, 8])
      expect(await rows.find(7)).toEqual(bert)
      expect(bert).toMatchObject({ lockPassword: true, commands: ['ls'], signedInMs: 0 })
      expect((await rows.list()).map(({ username }) => username)).toEqual(['anna', 'bert', 'carl'])
      await rows.remove(8)
      expect((await rows.insert(user('dora'))).id).toBe(9)
      expect([await rows.count(), await rows.findByName('ANNA')]).toEqual([3, undefined])
    })

    test('have different names, and a refusal leaves a transaction usable', async () => {
      const rows = new UserRows(given.db)
      const anna = await rows.insert(user('anna'))
      await rows.insert(user('bert'))
      await expect(rows.update({ ...anna, username: 'bert' })).rejects.toThrow('taken')
      await rows.atomically(async () => {
        await expect(rows.insert(user('anna'))).rejects.toThrow('taken')
        await rows.insert(user('carl'))
      })
      expect(await rows.count()).toBe(3)
      expect((await rows.update({ ...anna, username: 'dora', scope: '/d' })).scope).toBe('/d')
      await rows.remove(anna.id)
      await expect(rows.update(anna)).rejects.toThrow('no such user')
    })

    test('take what belongs to them with them', async () => {
      await insertUsers(given.db, 1, 2)
      const [users, personal] = [new UserRows(given.db), new PersonalRows(given.db)]
      const factors = new SecondFactorRows(given.db)
      for (const id of [1, 2]) {
        await users.setHomeDue(id)
        await users.setHomeDue(id)
        await personal.put(id, 'a', 'old')
        await personal.put(id, 'a', `${id}`)
        await factors.replaceCodes(id, ['x', 'y'])
      }
      await users.remove(1)
      expect([await users.isHomeDue(1), await users.isHomeDue(2)]).toEqual([false, true])
      expect([await personal.find(1, 'a'), await personal.find(2, 'a')]).toEqual([undefined, '2'])
      expect([await factors.countCodes(1), await factors.countCodes(2)]).toEqual([0, 2])
      await users.clearHomeDue(2)
      await personal.remove(2, 'a')
      expect([await users.isHomeDue(2), await personal.find(2, 'a')]).toEqual([false, undefined])
    })

    test('lose their invitation with a new password, and not with another change', async () => {
      const [users, invitations] = [new UserRows(given.db), new InvitationRows(given.db)]
      const anna = await users.insert(user('anna'))
      await invitations.put({ userId: anna.id, tokenHash: 'one', expiresMs: 5 })
      await invitations.put({ userId: anna.id, tokenHash: 'two', expiresMs: 9 })
      expect(await invitations.findByHash('one')).toBeUndefined()
      await users.update({ ...anna, scope: '/other' })
      await invitations.removeExpired(8)
      expect(await invitations.list()).toEqual([
        { userId: anna.id, tokenHash: 'two', expiresMs: 9 },
      ])
      await users.update({ ...anna, passwordHash: 'another' })
      expect(await invitations.list()).toEqual([])
      expect(await invitations.remove(anna.id)).toBe(false)
    })
  })

  describe('sessions', () => {
    const insert = (
      rows: SessionRows,
      id: string,
      values: { seenMs: number; userId?: number; identity?: SessionIdentity },
    ) =>
      rows.insert({
        id,
        userId: 1,
        createdMs: 3,
        expiresMs: FUTURE_MS,
        address: '::1',
        agent: 'test',
        hasOwnCookie: false,
        verifiedMs: 0,
        ...values,
      })
    const ids = async (rows: SessionRows, userId?: number) =>
      (await rows.list(userId, 0)).map(({ id }) => id)

    test('are stored again without a second row, and the newest are kept', async () => {
      await insertUsers(given.db, 1, 2)
      const rows = new SessionRows(given.db)
      for (const [index, id] of ['a', 'b', 'c', 'a'].entries()) {
        await insert(rows, id, { seenMs: index })
      }
      await insert(rows, 'other', { seenMs: 0, userId: 2 })
      expect(await ids(rows, 1)).toEqual(['a', 'c', 'b'])
      expect((await new UserRows(given.db).find(1))?.signedInMs).toBe(3)
      await rows.touch('b', 9, '::2')
      await rows.setOwnCookie('b')
      await rows.setVerified('b', 4)
      await rows.keepNewest(1, 2)
      expect(await ids(rows)).toEqual(['b', 'a', 'other'])
      const changed = { seenMs: 9, address: '::2', hasOwnCookie: true, verifiedMs: 4 }
      expect(await rows.find('b')).toMatchObject({ ...changed, identity: undefined })
      await rows.extend('a', 1)
      await rows.removeExpired(1)
      await rows.removeByUser(2)
      expect(await ids(rows)).toEqual(['b'])
      await rows.remove('b')
      expect(await rows.find('b')).toBeUndefined()
    })

    test('end with what they were opened with', async () => {
      await insertUsers(given.db, 1)
      const rows = new SessionRows(given.db)
      await given.db
        .query(
          "INSERT INTO identities (id, user_id, issuer, subject, label, linked_ms) VALUES (5, 1, 'https://i/', 's', '', 0)",
        )
        .run()
      const opened = async (id: string, providerSid: string, identity = 5) =>
        insert(rows, id, { seenMs: 0, identity: { id: identity, providerSid, idToken: 'token' } })
      await insert(rows, 'password', { seenMs: 0 })
      await opened('one', 'p1')
      await opened('two', 'p2')
      await opened('none', '')
      await opened('other', 'p1', 6)
      expect((await rows.identitiesOf('p1')).toSorted()).toEqual([5, 6])
      expect(await rows.removeByIdentity(5, 'p1')).toBe(2)
      expect(await rows.removeByIssuer('https://i')).toBe(1)
      expect((await ids(rows)).toSorted()).toEqual(['other', 'password'])
      expect(await rows.removeByIdentity(0, '')).toBe(0)
    })
  })

  test('app passwords are found by their secret, listed and removed', async () => {
    await insertUsers(given.db, 1, 2)
    const rows = new AppPasswordRows(given.db)
    const created = (userId: number, secretHash: string) => ({
      userId,
      name: 'phone',
      application: '',
      secretHash,
      permissions: permissionsOf('download'),
      folder: parsePath('/a'),
      target: '',
      createdMs: 1,
      expiresMs: 0,
      isPaused: false,
    })
    const first = await rows.insert(created(1, 'one'))
    const second = await rows.insert(created(2, 'two'))
    await expect(rows.insert(created(1, 'one'))).rejects.toThrow()
    await rows.touch(first, 5, { address: '::1', agent: 'it' })
    await rows.setPaused(first, true)
    expect(await rows.findByHash('one')).toEqual({
      ...created(1, 'one'),
      id: first,
      isPaused: true,
      usedMs: 5,
      address: '::1',
      agent: 'it',
    })
    expect((await rows.list(undefined)).map(({ id }) => id)).toEqual(
      [second, first].toSorted((a, b) => b - a),
    )
    expect([await rows.count(1), await rows.removeByUser(1), await rows.count(1)]).toEqual([
      1, 1, 0,
    ])
  })

  test('passkeys are inserted once, count up, and challenges are used once', async () => {
    await insertUsers(given.db, 1)
    const rows = new PasskeyRows(given.db)
    const passkey = {
      id: 'k',
      userId: 1,
      handle: 'h',
      publicKey: Uint8Array.of(0, 255),
      counter: 0,
      rpId: 'host',
      transports: ['usb', 'nfc'],
      isSynced: true,
      name: 'key',
      createdMs: 1,
      usedMs: 0,
    }
    expect([await rows.insert(passkey), await rows.insert(passkey)]).toEqual([true, false])
    expect(await rows.find('k')).toEqual(passkey)
    expect([await rows.use('k', 0, true), await rows.use('k', 5, false)]).toEqual([true, true])
    expect([await rows.use('k', 5, false), await rows.use('k', 0, false)]).toEqual([false, false])
    expect(await rows.list(1)).toMatchObject([{ counter: 5, isSynced: false }])
    expect([await rows.hasAny('host'), await rows.hasAny('other')]).toEqual([true, false])
    const claims = ['c', 'd', 'c'].map((id) => () => rows.claimChallenge(id, FUTURE_MS))
    const results: boolean[] = []
    for (const claim of claims) results.push(await claim())
    expect(results).toEqual([true, true, false])
    expect([await rows.remove('k'), await rows.removeAll(1)]).toEqual([true, 0])
  })

  test('a second factor is confirmed once, and a code is used once', async () => {
    await insertUsers(given.db, 1)
    const rows = new SecondFactorRows(given.db)
    await rows.setDraft(1, 'first', 1)
    await rows.setDraft(1, 'second', 2)
    expect(await rows.confirm(1, 'first', 10, ['x'])).toBe(false)
    expect(await rows.confirm(1, 'second', 10, ['x', 'y'])).toBe(true)
    expect(await rows.confirm(1, 'second', 10, ['z'])).toBe(false)
    expect(await rows.list()).toMatchObject([{ userId: 1, secret: 'second', draft: '' }])
    expect([await rows.claimStep(1, 10), await rows.claimStep(1, 11)]).toEqual([false, true])
    expect([await rows.claimCode(1, 'x'), await rows.claimCode(1, 'x')]).toEqual([true, false])
    await rows.remove(1)
    expect([await rows.find(1), await rows.countCodes(1)]).toEqual([undefined, 1])
  })

  test('a counter of failures is replaced, and the oldest are deleted of each kind', async () => {
    const rows = new FailureRows(given.db)
    const limits = { beforeMs: 2, max: 1 }
    const failed =
      (lastMs: number, blockedUntilMs = 0) =>
      () => ({
        count: 1,
        countedMs: 0,
        blockedUntilMs,
        lastMs,
      })
    // The first change deletes what is old or beyond the limit.
    for (const [key, change] of [
      ['old', failed(1)],
      ['waits', failed(4, 9)],
      ['first', failed(5)],
      ['second', failed(6)],
    ] as const) {
      await new FailureRows(given.db).change(key, change, { ...limits, max: 9 })
    }
    await rows.change('second', (now) => ({ ...failed(7)(), count: (now?.count ?? 0) + 1 }), limits)
    expect(await rows.find('second')).toMatchObject({ count: 2, lastMs: 7 })
    const found = ['old', 'waits', 'first'].map(async (key) => (await rows.find(key))?.lastMs)
    expect(await Promise.all(found)).toEqual([undefined, 4, undefined])
    await rows.remove('second')
    expect(await countOf(given.db, 'failures')).toBe(1)
  })
}
