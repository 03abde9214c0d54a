/** Public shares. */

import { assert, hides, refused, refusedOrPage, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'

const OWN_JAIL = 'what is shared is a jail of its own, read and nothing else'

export const shareCases: AttackCase[] = [
  {
    id: 'G-43',
    attack: 'deleting somebody else’s link',
    because: 'a link is removed by its owner or an administrator',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt')
      refused(await fixture.call('bob', 'DELETE', `/api/share/${hash}`), 'deleting', 403)
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      works(await fixture.call('alice', 'DELETE', `/api/share/${hash}`), 'alice')
    },
  },
  {
    id: 'G-44',
    attack: 'losing links by deleting a file of a like name',
    because: 'links go with exactly what they point to, and what lies below it',
    async run(fixture) {
      for (const who of ['alice', 'bob']) {
        works(await fixture.call(who, 'POST', '/api/resources/abc.txt', 'x'), 'a file')
      }
      const hashes = [
        await share(fixture, 'alice', '/abc.txt'),
        await share(fixture, 'bob', '/abc.txt'),
      ]
      works(await fixture.call('alice', 'POST', '/api/resources/a', 'x'), 'a file called a')
      works(await fixture.call('alice', 'DELETE', '/api/resources/a'), 'deleting it', 204)
      for (const hash of hashes)
        works(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'a link')
    },
  },
  {
    id: 'G-45',
    attack: 'a link that outlives its folder',
    because: 'links go with what they point to, however the path is spelled',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/pub/')
      works(await fixture.call('alice', 'DELETE', '/api/resources/pub/'), 'deleting', 204)
      works(
        await fixture.call('alice', 'POST', '/api/resources/pub/new.txt', 'new'),
        'making it anew',
      )
      refused(await fixture.call('', 'GET', `/api/public/share/${hash}`), 'the old link', 404)
    },
  },
  {
    id: 'G-46',
    attack: 'sharing what is not there yet',
    because: 'a link is made to something that exists',
    async run(fixture) {
      refused(await fixture.call('alice', 'POST', '/api/share/not-there.txt', {}), 'sharing', 404)
      assert(
        !(await fixture.call('alice', 'GET', '/api/shares')).text.includes('not-there'),
        'it is listed',
      )
    },
  },
  {
    id: 'G-47',
    attack: 'looking above a shared folder',
    because: OWN_JAIL,
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/pub/')
      const listed = works(await fixture.call('', 'GET', `/api/public/share/${hash}/`), 'the share')
      assert(!listed.text.includes('own.txt'), 'the listing shows the folder above')
      const answer = await fixture.call('', 'GET', `/api/public/dl/${hash}/own.txt`)
      refused(answer, 'a neighbour', 404)
      hides(fixture, answer, 'a neighbour', 'alice/own.txt')
    },
  },
  {
    id: 'G-48',
    attack: 'climbing out of a link, and writing through it',
    because: OWN_JAIL,
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/pub/')
      for (const target of [
        `/api/public/dl/${hash}/../own.txt`,
        `/api/public/dl/${hash}/..%2fown.txt`,
      ]) {
        const answer = await fixture.raw('', 'GET', target)
        refusedOrPage(answer, target, 404)
        hides(fixture, answer, target, 'alice/own.txt')
      }
      for (const method of ['DELETE', 'PATCH', 'PUT', 'POST']) {
        for (const kind of ['share', 'dl']) {
          const target = `/api/public/${kind}/${hash}/in.txt`
          refused(await fixture.call('', method, target, 'x'), `${method} ${kind}`, 404)
        }
      }
      untouched(fixture, 'the attempt', 'alice/pub/in.txt')
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/in.txt`), 'what is shared')
    },
  },
  {
    id: 'G-49',
    attack: 'other files through the link of one',
    because: 'a file’s link leads to that file, whatever name is written after it',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt')
      for (const name of ['junk.txt', 'pub/in.txt', 'other.txt']) {
        const answer = await fixture.call('', 'GET', `/api/public/dl/${hash}/${name}`)
        if (name.includes('/')) refused(answer, name, 404)
        hides(fixture, answer, name, 'alice/junk.txt', 'alice/pub/in.txt')
      }
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/own.txt`), 'the file')
    },
  },
  {
    id: 'G-50',
    attack: 'a link with a password, without it',
    because: 'nothing is said of what is behind it before the password or the token is right',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt', { password: 'tell nobody' })
      for (const [target, headers] of [
        [`share/${hash}`, {}],
        [`dl/${hash}`, {}],
        [`dl/${hash}?inline=true`, {}],
        [`dl/${hash}?algo=zip`, {}],
        [`preview/thumb/${hash}`, {}],
        [`share/${hash}`, { 'X-SHARE-PASSWORD': 'wrong' }],
        [`dl/${hash}?token=wrong`, {}],
      ] as const) {
        const answer = await fixture.call('', 'GET', `/api/public/${target}`, undefined, headers)
        refused(answer, target, 401)
        hides(fixture, answer, target, 'alice/own.txt')
        assert(!/own\.txt|alice|"token"/.test(answer.text), `${target} says what is behind it`)
      }
      const right = { 'X-SHARE-PASSWORD': 'tell%20nobody' }
      const opened = works(
        await fixture.call('', 'GET', `/api/public/share/${hash}`, undefined, right),
        'the password',
      )
      const { token } = JSON.parse(opened.text)
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}?token=${token}`), 'the token')
    },
  },
  {
    id: 'G-51',
    attack: 'secrets in the lists of links',
    because: 'answers are put together field by field; hashes and tokens are not among them',
    async run(fixture) {
      await share(fixture, 'alice', '/own.txt', { password: 'tell nobody' })
      for (const who of ['alice', 'admin']) {
        const listed = works(await fixture.call(who, 'GET', '/api/shares'), who)
        assert(!/argon2|password_hash|"password"|"token"/.test(listed.text), `${who} sees a secret`)
        assert(listed.text.includes('"hasPassword":true'), `${who} does not see that there is one`)
      }
    },
  },
  {
    id: 'G-52',
    attack: 'a link whose owner may share no more',
    because: 'the owner’s rights are read at every use of the link',
    async run(fixture) {
      const perm = { create: true, share: true, download: true }
      const made = works(await fixture.addUser('lender', { scope: '/alice', perm }), 'a user', 201)
      const id = Number(made.headers.get('location')?.split('/').at(-1))
      fixture.tokens.lender = (await fixture.signIn('lender')).text
      const hash = await share(fixture, 'lender', '/own.txt')
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      for (const less of [{ create: true, download: true }, { create: true }]) {
        const body = {
          what: 'user',
          which: ['perm'],
          current_password: fixture.password,
          data: { id, perm: less },
        }
        works(await fixture.call('admin', 'PUT', `/api/users/${id}`, body), 'taking the right')
        const answer = await fixture.call('', 'GET', `/api/public/dl/${hash}`)
        refused(answer, 'the link', 403)
        hides(fixture, answer, 'the link', 'alice/own.txt')
      }
    },
  },
  {
    id: 'G-53',
    attack: 'a link after its time, and a time that is none',
    because: 'time is looked at whenever a link is opened or listed',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt', { expires: '1', unit: 'seconds' })
      const query = '?expires=2147483648&unit=seconds'
      refused(
        await fixture.call('alice', 'POST', `/api/share/own.txt${query}`, {}),
        'too long a time',
        400,
      )
      await new Promise((resolve) => setTimeout(resolve, 2100))
      for (const kind of ['share', 'dl']) {
        const answer = await fixture.call('', 'GET', `/api/public/${kind}/${hash}`)
        refused(answer, kind, 404)
        hides(fixture, answer, kind, 'alice/own.txt')
      }
      assert(
        !(await fixture.call('alice', 'GET', '/api/shares')).text.includes(hash),
        'it is listed',
      )
    },
  },
  {
    id: 'G-54',
    attack: 'other people’s lists',
    because: 'people see their own links, administrators everybody’s with their names',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt')
      for (const target of ['/api/shares', '/api/share/own.txt']) {
        const answer = await fixture.call('bob', 'GET', target)
        assert(!answer.text.includes(hash), `${target} shows bob another’s link`)
      }
      const all = works(await fixture.call('admin', 'GET', '/api/shares'), 'an administrator')
      assert(all.text.includes(hash) && all.text.includes('"username":"alice"'), 'it is not shown')
    },
  },
  {
    id: 'G-55',
    attack: 'guessing links',
    because: 'a link’s name has 96 random bits, its token 768, compared in constant time',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt', { password: 'tell nobody' })
      assert(hash.length >= 12, 'the name is short')
      const wrong = [
        await fixture.call('', 'GET', '/api/public/share/AAAAAAAAAAAAAAAA'),
        await fixture.call('', 'GET', '/api/public/dl/x'),
      ]
      for (const answer of wrong) refused(answer, 'a guess', 404)
      assert(wrong[0]?.text === wrong[1]?.text, 'a guess is told apart')
      const right = { 'X-SHARE-PASSWORD': 'tell%20nobody' }
      const opened = await fixture.call('', 'GET', `/api/public/share/${hash}`, undefined, right)
      assert(JSON.parse(opened.text).token.length >= 22, 'the token is short')
    },
  },
]

/** @returns the hash of a new share */
async function share(
  fixture: Fixture,
  who: string,
  path: string,
  options: Record<string, string> = {},
): Promise<string> {
  const answer = works(
    await fixture.call(who, 'POST', `/api/share${path}`, options),
    `sharing ${path}`,
  )
  return JSON.parse(answer.text).hash
}
