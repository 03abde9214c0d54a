/** Passkeys: each sign-in needs one that its user has unlocked for this page, a moment ago. */
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'
import { type Bend, SoftPasskey } from '../soft-passkey.ts'

const CURRENT = { current_password: FIXTURE_PASSWORD }
const PASSKEYS = '/api/passkeys'
/** Without a public address, pages of the own machine have passkeys. */
const PAGE = 'http://localhost:8080'

export const passkeyCases: AttackCase[] = [
  {
    id: 'G-224',
    attack:
      'signing in with the answer of a passkey for another page, of a device that is locked, or used before',
    reason:
      'the page, its host, the verified user, the counter and the challenge are compared, and both are used up',
    async run(fixture) {
      works(await fixture.addUser('keyed', { scope: '/alice' }), 'a new user', 201)
      const passkey = await addPasskey(fixture, 'keyed')
      const bends: [string, Bend][] = [
        ['for another page', { origin: 'https://localhost.evil.example' }],
        ['for another host', { rpId: 'evil.example' }],
        ['of a locked device', { isVerified: false }],
        ['of a registration', { type: 'webauthn.create' }],
        ['for another user', { userHandle: 'AAAA' }],
      ]
      for (const [what, bend] of bends) {
        refused(await send(fixture, passkey.sign(await options(fixture), bend)), what, 403)
      }
      const forged = passkey.sign(await options(fixture), { challenge: 'AAAA' })
      refused(await send(fixture, forged), 'a challenge that the server did not make', 404)
      const right = passkey.sign(await options(fixture))
      works(await send(fixture, right), 'the passkey')
      refused(await send(fixture, right), 'the same answer again', 403)
      const copied = passkey.sign(await options(fixture), { counter: 1 })
      refused(await send(fixture, copied), 'a copy with an earlier counter', 403)
      for (const origin of ['http://127.0.0.1:8080', 'https://files.example.org']) {
        const asked = await fixture.call('', 'POST', '/api/login/passkey/options', '', { origin })
        refused(asked, `a page of ${origin}`, 409)
      }
    },
  },
  {
    id: 'G-225',
    attack: 'adding or removing a passkey with a stolen session and the password',
    reason: 'both need a code or a passkey that the session has sent a short time ago',
    async run(fixture) {
      works(await fixture.addUser('unkeyed', { scope: '/alice' }), 'a new user', 201)
      const stolen = works(await fixture.signIn('unkeyed'), 'a session').text
      const passkey = await addPasskey(fixture, 'unkeyed')
      const headers = { 'X-Auth': stolen, origin: PAGE }
      const begin = await fixture.call('', 'POST', `${PASSKEYS}/options`, CURRENT, headers)
      refused(begin, 'another passkey', 400)
      const one = `${PASSKEYS}/${passkey.id}`
      refused(await fixture.call('', 'DELETE', one, CURRENT, headers), 'the removal', 400)
      const password = await fixture.signIn('unkeyed')
      refused(password, 'the password alone', 401)
      assert(!password.headers.has('set-cookie'), 'the password alone sets a cookie')
    },
  },
]

/** Adds a passkey to a user without a second factor. */
async function addPasskey(fixture: Fixture, username: string): Promise<SoftPasskey> {
  fixture.tokens[username] = works(await fixture.signIn(username), 'a session').text
  const headers = { origin: PAGE }
  const begun = await fixture.call(username, 'POST', `${PASSKEYS}/options`, CURRENT, headers)
  const created = SoftPasskey.create(PAGE, JSON.parse(works(begun, 'the options').text))
  const body = { name: 'Phone', credential: created.credential }
  works(await fixture.call(username, 'POST', PASSKEYS, body, headers), 'the passkey', 201)
  return created.passkey
}

async function options(fixture: Fixture): Promise<{ challenge: string; rpId: string }> {
  const headers = { origin: PAGE }
  const answer = await fixture.call('', 'POST', '/api/login/passkey/options', '', headers)
  return JSON.parse(works(answer, 'the options of a sign-in').text)
}

function send(fixture: Fixture, credential: object) {
  return fixture.call('', 'POST', '/api/login/passkey', { credential }, { origin: PAGE })
}
