import { beforeEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { detailsOf } from '#ui/state/file/file-details.ts'
import { session } from '#ui/state/session/session.ts'
import type { Share } from '#wire/api/share.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import type { AccessList, PersonWithAccess } from '#wire/shapes/access.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'

const SIGNAL = new AbortController().signal
const PATH = parsePath('/docs/plan.txt')
const SHARE: Share = {
  hash: 'abc',
  path: '/docs/plan.txt',
  userID: 1,
  expire: 0,
  hasPassword: false,
  visits: 3,
}
const MARA: PersonWithAccess = { username: 'mara', isAdmin: false, scope: ROOT, may: 'change' }

let access: AccessList

beforeEach(() => {
  // For administrators more is requested.
  session.user = null
  access = { links: [], people: [] }
  serve(({ url }) => Response.json(url.startsWith('/api/access/') ? access : []))
})

const FACTS = ['No expiry', '3 visits']

/** The facts of the only share. */
async function facts(): Promise<string[] | undefined> {
  return (await rows()).shares[0]?.facts.split(' · ')
}

async function rows() {
  return detailsOf({ path: PATH }).access(SIGNAL)
}

describe('the shares of a file', () => {
  test('a permanent share shows that it is permanent, and its visits', async () => {
    access = { links: [SHARE] }
    const { shares, users } = await rows()
    expect(users).toEqual([])
    expect(shares).toEqual([
      expect.objectContaining({ icon: 'link', facts: 'No expiry · 3 visits', hint: undefined }),
    ])
  })

  test('a share with a password has a lock, and one that expires shows when', async () => {
    const expire = Math.floor(Date.now() / 1000) + 3 * 86_400 - 60
    access = { links: [{ ...SHARE, hasPassword: true, expire }] }
    const [share] = (await rows()).shares
    expect(share).toMatchObject({ icon: 'lock', hint: expect.any(String) })
    expect(share?.facts).toContain('3 days')
  })

  test('a share of a folder above names the folder', async () => {
    access = { links: [{ ...SHARE, path: '/docs/' }] }
    expect(await facts()).toEqual(['Link to docs', ...FACTS])
    access = { links: [{ ...SHARE, path: '/' }] }
    expect(await facts()).toEqual(['Link to My files', ...FACTS])
  })

  describe('for an administrator', () => {
    const ADMIN = { ...MARA, username: 'ana', isAdmin: true }
    const OWNER = { ...MARA, scope: parsePath('/docs') }
    const share = { ...SHARE, username: 'mara' }

    beforeEach(() => {
      session.user = userOf({ username: 'ana' })
    })

    // The scope of the owner is the folder that contains the file.
    test.each([
      ['the file itself', '/plan.txt', []],
      ['the home folder of the owner', '/', ['Link to docs']],
    ])('the share of %s is compared in the served tree', async (_, path, above) => {
      access = { links: [{ ...share, path }], people: [ADMIN, OWNER] }
      expect(await facts()).toEqual([...above, ...FACTS, 'by mara'])
    })

    test('the scope of the administrator counts, too', async () => {
      const people = [
        { ...ADMIN, scope: parsePath('/staff') },
        { ...OWNER, scope: parsePath('/staff/docs') },
      ]
      access = { links: [{ ...share, path: '/plan.txt' }], people }
      expect(await facts()).toEqual([...FACTS, 'by mara'])
    })

    test('their own share of a folder above names the folder', async () => {
      access = { links: [{ ...SHARE, path: '/docs/', username: 'ana' }], people: [ADMIN] }
      expect(await facts()).toEqual(['Link to docs', ...FACTS, 'by ana'])
    })

    test('no folder is named if the scope of the owner is unknown', async () => {
      access = { links: [{ ...share, path: '/plan.txt' }], people: [ADMIN] }
      expect(await facts()).toEqual([...FACTS, 'by mara'])
    })
  })
})

describe('the users with access to a file', () => {
  test('a user is listed with the reason and with what the user may do', async () => {
    const home = parsePath('/docs')
    access.people = [MARA, { ...MARA, username: 'ben', isAdmin: true }, { ...MARA, scope: home }]
    const { users, isPartial } = await rows()
    const reasons = users.map(({ title, facts }) => `${title}: ${facts.split(' · ')[0]}`)
    expect(new Set(reasons).size).toBe(3)
    expect(reasons[2]).toContain('docs')
    expect(isPartial).toBe(false)
  })

  test('an incomplete list is marked', async () => {
    access.isPartial = true
    expect(await rows()).toMatchObject({ isPartial: true })
  })
})

test('the activity of a file is requested for its path alone', async () => {
  const { activity, activityHref } = detailsOf({ path: PATH })
  expect(await activity(SIGNAL)).toEqual([])
  const [request] = sentRequests
  expect(new URLSearchParams(request?.url.split('?')[1]).get('path')).toBe(PATH)
  expect(activityHref).toContain(encodeURIComponent(PATH))
})

describe('the activity of a file whose path is a part of others', () => {
  /** The server has so many records, of which only the oldest is of the file. */
  function serveRecords(count: number): void {
    serve(({ url }) => {
      const query = new URLSearchParams(url.split('?')[1])
      const [before, limit] = [Number(query.get('before') ?? count + 1), Number(query.get('limit'))]
      const ids = Array.from({ length: Math.min(limit, before - 1) }, (_, at) => before - 1 - at)
      return Response.json(ids.map((id) => ({ id, path: id === 1 ? PATH : `${PATH}.old`, to: '' })))
    })
  }

  test('older pages are read until enough records are found', async () => {
    serveRecords(301)
    expect(await detailsOf({ path: PATH }).activity(SIGNAL)).toMatchObject([{ id: 1, path: PATH }])
    expect(sentRequests).toHaveLength(2)
  })

  test('the number of pages is limited', async () => {
    serveRecords(100_000)
    expect(await detailsOf({ path: PATH }).activity(SIGNAL)).toEqual([])
    expect(sentRequests).toHaveLength(5)
  })
})
