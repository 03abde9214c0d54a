/** Invitations, by which users choose the password of their account. */

import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fields, Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'

/** Each invited user has a name of its own: one that a failed case leaves does not stop the next. */
let invited = 0

export const invitationCases: AttackCase[] = [
  {
    id: 'G-215',
    attack: 'inviting, and reading and withdrawing invitations, without being an administrator',
    reason: 'the routes need the right of administrators, and inviting needs their password',
    async run(fixture) {
      const { token, userID } = await invite(fixture)
      for (const [who, status] of [
        ['', 401],
        ['alice', 403],
      ] as const) {
        const admin = { username: 'mallory', perm: { admin: true } }
        for (const body of [{ data: admin }, { userID }, { userID: 1 }]) {
          const sent = { ...body, current_password: FIXTURE_PASSWORD }
          const response = await fixture.call(who, 'POST', '/api/invitations', sent)
          refused(response, `an invitation of ${who}`, status)
          assert(!response.text.includes(token), 'a response has the token')
        }
        refused(await fixture.call(who, 'GET', '/api/invitations'), 'the list', status)
        const invitation = `/api/invitations/${userID}`
        refused(await fixture.call(who, 'DELETE', invitation), 'the withdrawal', status)
      }
      const wrong = { userID, current_password: 'wrong' }
      refused(
        await fixture.call('admin', 'POST', '/api/invitations', wrong),
        'a wrong password',
        400,
      )
      const list = works(await fixture.call('admin', 'GET', '/api/invitations'), 'the list')
      assert(!list.text.includes(token), 'the list has the token')
      works(await accept(fixture, token), 'the invited user')
      await remove(fixture, userID)
    },
  },
  {
    id: 'G-216',
    attack: 'an invitation that is used twice, at the same time, or after it was withdrawn',
    reason:
      'a token is used up in the transaction that stores the password, and is stored as a hash',
    async run(fixture) {
      const first = await invite(fixture)
      const both = await Promise.all([accept(fixture, first.token), accept(fixture, first.token)])
      const statuses = both.map(({ status }) => status).toSorted()
      assert(String(statuses) === '200,404', `accepted twice: ${statuses}`)
      refused(await accept(fixture, first.token, 'a password of somebody else'), 'again', 404)
      works(await fixture.signIn(first.username), 'the chosen password')
      await remove(fixture, first.userID)

      const second = await invite(fixture)
      const invitation = `/api/invitations/${second.userID}`
      works(await fixture.call('admin', 'DELETE', invitation), 'the withdrawal')
      refused(await accept(fixture, second.token), 'a withdrawn one', 404)
      await remove(fixture, second.userID)

      const third = await invite(fixture)
      await remove(fixture, third.userID)
      refused(await accept(fixture, third.token), 'that of a deleted user', 404)
    },
  },
  {
    id: 'G-217',
    attack: 'guessing invitations, and accepting one with more fields than a password',
    reason: 'a token has 192 random bits and is compared as a hash; other fields are not read',
    async run(fixture) {
      const { token, userID, username } = await invite(fixture)
      // Base64url: six bits in each character.
      assert(token.length === 192 / 6, 'the token is short')
      const guesses = [
        '',
        'x',
        token.slice(0, -1),
        `${token}x`,
        token.toLowerCase(),
        '%',
        '1 OR 1=1',
      ]
      for (const guess of guesses.filter((guess) => guess !== token)) {
        const shown = await fixture.call('', 'POST', '/api/invitation', { token: guess })
        assert([400, 404].includes(shown.status), `${guess}: ${shown.status}`)
        assert(!shown.text.includes(username), 'a guess shows the name')
        const accepted = await accept(fixture, guess)
        assert([400, 404].includes(accepted.status), `${guess} is accepted: ${accepted.status}`)
      }
      const shown = works(await fixture.call('', 'POST', '/api/invitation', { token }), 'the token')
      assert(shown.text.includes(username), 'the token does not show the name')
      const more = { username: 'admin', userID: 1, scope: '/', perm: { admin: true } }
      works(await accept(fixture, token, FIXTURE_PASSWORD, more), 'the invited user')
      const session = works(await fixture.signIn(username), 'the invited user').text
      const users = await fixture.raw('', 'GET', '/api/users', '', { 'X-Auth': session })
      refused(users, 'the list of users', 403)
      await remove(fixture, userID)
    },
  },
]

interface Invitation {
  token: string
  userID: number
  username: string
}

async function invite(fixture: Fixture): Promise<Invitation> {
  invited += 1
  const username = `guest${invited}`
  const data = { username, scope: '/alice', perm: { download: true } }
  const sent = { data, current_password: fixture.password }
  const response = await fixture.call('admin', 'POST', '/api/invitations', sent)
  return { ...JSON.parse(works(response, 'an invitation', 201).text), username }
}

function accept(
  fixture: Fixture,
  token: string,
  password = FIXTURE_PASSWORD,
  otherFields: Fields = {},
) {
  return fixture.call('', 'POST', '/api/invitation/accept', { ...otherFields, token, password })
}

async function remove(fixture: Fixture, id: number): Promise<void> {
  const body = { current_password: fixture.password }
  works(await fixture.call('admin', 'DELETE', `/api/users/${id}`, body), 'the deletion')
}
