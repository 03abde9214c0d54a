/** The rows of sign-ins with providers and directories. */
import { expect, test } from 'bun:test'
import { DirectoryRows } from '#server/db/rows/directories.ts'
import { IdentityRows } from '#server/db/rows/identities.ts'
import { ProviderRows } from '#server/db/rows/providers.ts'
import { SignInFlowRows, type StoredFlow } from '#server/db/rows/sign-in-flows.ts'
import { UserRows } from '#server/db/rows/users.ts'
import { STANDARD_DIRECTORY } from '#wire/api/directory.ts'
import { STANDARD_OPTIONS } from '#wire/api/identity.ts'
import { countOf, type Given, insertUsers } from './fixture.ts'

export function describeIdentityRows(given: Given): void {
  test('a provider and a directory are added, replaced and removed', async () => {
    const [providers, directories] = [new ProviderRows(given.db), new DirectoryRows(given.db)]
    const provider = {
      id: 'p',
      label: 'b',
      issuer: 'https://i',
      clientId: 'c',
      clientSecret: 's',
      options: STANDARD_OPTIONS,
      isEnabled: true,
    }
    await providers.put(provider)
    await providers.put({ ...provider, id: 'q', label: 'a' })
    await providers.put({ ...provider, isEnabled: false })
    expect((await providers.list()).map(({ id, isEnabled }) => [id, isEnabled])).toEqual([
      ['q', true],
      ['p', false],
    ])
    const directory = {
      id: 'd',
      label: 'd',
      bindPassword: '',
      options: STANDARD_DIRECTORY,
      isEnabled: true,
    }
    await directories.put(directory)
    await directories.put({ ...directory, label: 'new' })
    expect(await directories.list()).toEqual([{ ...directory, label: 'new' }])
    expect([await directories.remove('d'), await directories.remove('d')]).toEqual([true, false])
  })

  test('an identity stays when its user is deleted, and is linked again', async () => {
    await insertUsers(given.db, 1, 2)
    const rows = new IdentityRows(given.db)
    const account = { issuer: 'https://i', subject: 's', label: 'anna', linkedMs: 1 }
    const id = await rows.link({ ...account, userId: 1 })
    await expect(rows.link({ ...account, userId: 2 })).rejects.toThrow()
    await rows.setUsed(id, 'Anna', ['a', 'b'])
    await rows.setUsed(id, 'Anna B', undefined)
    expect(await rows.find('https://i', 's')).toMatchObject({ label: 'Anna B', groups: ['a', 'b'] })
    await new UserRows(given.db).remove(1)
    expect(await rows.findById(id)).toMatchObject({ userId: 0 })
    const again = await rows.link({ ...account, userId: 2 })
    expect(again).not.toBe(id)
    expect((await rows.listOf(2)).map((identity) => identity.id)).toEqual([again])
    await rows.remove(again)
    expect(await countOf(given.db, 'identities')).toBe(0)
  })

  test('a sign-in advances once, and the oldest of a network are removed', async () => {
    const rows = new SignInFlowRows(given.db)
    const flow = (id: string, network: string, expiresMs: number): StoredFlow => ({
      id,
      stateHash: '',
      cookieHash: '',
      provider: 'p',
      purpose: 'signIn',
      network,
      nonce: '',
      verifier: '',
      returnTo: '/',
      status: 'begun',
      answer: '',
      expiresMs,
    })
    for (const [index, id] of ['a', 'b', 'c'].entries()) await rows.insert(flow(id, 'n', index + 5))
    await rows.insert(flow('other', 'm', 1))
    await rows.keepNewest('n', 2)
    expect([await rows.find('a', 0), (await rows.find('b', 0))?.id]).toEqual([undefined, 'b'])
    const advance = () => rows.advance('b', 'begun', 'taken')
    expect([await advance(), await advance()]).toEqual([true, false])
    await rows.setAnswer('b', '{}')
    expect(await rows.find('b', 0)).toMatchObject({ status: 'answered', answer: '{}' })
    await rows.removeExpired(6)
    expect(await rows.count()).toBe(1)
    await rows.remove('c')
    expect(await rows.count()).toBe(0)
  })

  test('a log-out token is used once, and so many are remembered', async () => {
    const rows = new SignInFlowRows(given.db)
    const claim = (token: string, inMs: number) =>
      rows.claimLogoutToken(token, Date.now() + 1_000_000 + inMs, 2)
    expect([await claim('a', 1), await claim('a', 1)]).toEqual([true, false])
    await claim('b', 2000)
    await claim('c', 3000)
    expect(await countOf(given.db, 'logout_tokens_seen')).toBe(2)
    expect([await claim('c', 3000), await claim('a', 4000)]).toEqual([false, true])
  })
}
