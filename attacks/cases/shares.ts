/** Public shares. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { assert, hides, refused, refusedOrPage, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'

const OWN_ROOT = 'the shared folder is the root of the visitor’s scope, which is read-only'

/** What follows `/api/public/` in each route of a link, before its hash. */
const PUBLIC_ROUTES = Object.values(API)
  .filter((path) => path.startsWith('/api/public/'))
  .map((path) => path.slice('/api/public/'.length) + (path === API.publicPreview ? '/thumb' : ''))

export const shareCases: AttackCase[] = [
  {
    id: 'G-43',
    attack: 'deleting the share of another user',
    reason: 'only its owner or an administrator can remove a share',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt')
      refused(await fixture.call('bob', 'DELETE', `/api/share/${hash}`), 'deleting', 403)
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      works(await fixture.call('alice', 'DELETE', `/api/share/${hash}`), 'alice')
    },
  },
  {
    id: 'G-44',
    attack: 'losing shares by deleting a file with a similar name',
    reason: 'a removal ends exactly the shares of the removed path and of the paths below it',
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
    attack: 'a share that still works after its folder was removed',
    reason: 'shares end with their file or folder, whatever the spelling of its path',
    async run(fixture) {
      for (const target of ['/api/resources/pub/', '/api/resources/pub', '/api/resources//%70ub']) {
        const hash = await share(fixture, 'alice', '/pub/')
        works(await fixture.call('', 'GET', `/api/public/share/${hash}`), 'the link before')
        works(await fixture.call('alice', 'DELETE', target), `DELETE ${target}`, 204)
        works(
          await fixture.call('alice', 'POST', '/api/resources/pub/new.txt', 'new'),
          'creating it again',
        )
        refused(await fixture.call('', 'GET', `/api/public/share/${hash}`), 'the old link', 404)
      }
    },
  },
  {
    id: 'G-218',
    attack: 'getting a private file or folder published by the name that a share once had',
    reason:
      'a share of a folder knows its folder by identity, and a share of a file ends once nothing was seen at its path',
    advisories: ['FileRise 3.39 (a link to a new file of the same name)'],
    async run(fixture) {
      const folder = await share(fixture, 'alice', '/pub/')
      const file = await share(fixture, 'alice', '/own.txt')
      // Another program removes both, and creates new ones of the same names.
      rmSync(fixture.disk('alice/pub'), { recursive: true })
      rmSync(fixture.disk('alice/own.txt'))
      refused(await fixture.call('', 'GET', `/api/public/dl/${file}`), 'the missing file', 404)
      mkdirSync(fixture.disk('alice/pub'))
      for (const path of ['alice/pub/salaries.txt', 'alice/own.txt']) {
        writeFileSync(fixture.disk(path), 'private')
      }
      refused(await fixture.call('', 'GET', `/api/public/share/${folder}`), 'the new folder', 404)
      refused(await fixture.call('', 'GET', `/api/public/dl/${file}`), 'the new file', 404)
      refused(
        await fixture.call('bob', 'POST', `/api/shares/${file}`),
        'sharing it as another',
        403,
      )
      works(await fixture.call('alice', 'POST', `/api/shares/${file}`), 'sharing it as the owner')
      works(await fixture.call('', 'GET', `/api/public/dl/${file}`), 'the file that alice shares')
    },
  },
  {
    id: 'G-46',
    attack: 'sharing a path that does not exist yet',
    reason: 'a share can only be created for an existing file or folder',
    async run(fixture) {
      refused(await fixture.call('alice', 'POST', '/api/share/not-there.txt', {}), 'sharing', 404)
      await share(fixture, 'alice', '/own.txt')
      const listed = works(await fixture.call('alice', 'GET', '/api/shares'), 'the shares')
      assert(!listed.text.includes('not-there'), 'the share is listed')
      assert(listed.text.includes('"/own.txt"'), 'the list lacks a share')
    },
  },
  {
    id: 'G-47',
    attack: 'reading outside a shared folder',
    reason: OWN_ROOT,
    advisories: ['SFTPGo GHSA-h64p (a folder with the same beginning)'],
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/pub/')
      const listed = works(await fixture.call('', 'GET', `/api/public/share/${hash}/`), 'the share')
      assert(!listed.text.includes('own.txt'), 'the listing shows the folder above')
      const response = await fixture.call('', 'GET', `/api/public/dl/${hash}/own.txt`)
      refused(response, 'a neighbour', 404)
      hides(fixture, response, 'a neighbour', 'alice/own.txt')
      // A folder whose name begins like that of the shared one.
      mkdirSync(fixture.disk('alice/public'))
      writeFileSync(fixture.disk('alice/public/secret.txt'), 'beside')
      for (const target of ['lic/secret.txt', '../public/secret.txt', '..%2fpublic/secret.txt']) {
        refused(await fixture.raw('', 'GET', `/api/public/dl/${hash}/${target}`), target, 404)
      }
      const packed = await fixture.call('', 'GET', `/api/public/dl/${hash}/?algo=tar`)
      const { text } = works(packed, 'the folder as an archive')
      assert(text.includes('in.txt') && !text.includes('secret'), 'the archive has another folder')
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/in.txt`), 'what is shared')
    },
  },
  {
    id: 'G-48',
    attack: 'path traversal from a share, and writing through it',
    reason: OWN_ROOT,
    advisories: ['FileBrowser Quantum GHSA-3846 (a link that overwrites)'],
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/pub/')
      for (const target of [
        `/api/public/dl/${hash}/../own.txt`,
        `/api/public/dl/${hash}/..%2fown.txt`,
      ]) {
        const response = await fixture.raw('', 'GET', target)
        refusedOrPage(response, target, 404)
        hides(fixture, response, target, 'alice/own.txt')
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
    attack: 'other files through the share of one file',
    reason: 'the share of a file leads to that file, whatever path follows',
    advisories: ['CVE-2025-58753'],
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt')
      for (const name of ['junk.txt', 'pub/in.txt', 'other.txt']) {
        const response = await fixture.call('', 'GET', `/api/public/dl/${hash}/${name}`)
        assert(works(response, name).text === fixture.mark('alice/own.txt'), `${name} differs`)
        hides(fixture, response, name, 'alice/junk.txt', 'alice/pub/in.txt')
      }
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}/own.txt`), 'the file')
    },
  },
  {
    id: 'G-50',
    attack: 'a share with a password, without the password',
    reason: 'nothing about the shared files is sent before the password or the token is correct',
    advisories: [
      'FileBrowser Quantum GHSA-p7x3, GHSA-55mw (routes of a share without its limits)',
      'FileBrowser Quantum GHSA-8vrh (the password of a share avoided)',
    ],
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt', { password: 'tell nobody' })
      for (const [target, headers] of [
        [`share/${hash}`, {}],
        [`dl/${hash}`, {}],
        [`dl/${hash}?inline=true`, {}],
        [`dl/${hash}?algo=zip`, {}],
        [`share/${hash}`, { 'X-SHARE-PASSWORD': 'wrong' }],
        [`dl/${hash}?token=wrong`, {}],
        ...PUBLIC_ROUTES.map((route) => [`${route}/${hash}/own.txt`, {}] as const),
      ] as const) {
        const response = await fixture.call('', 'GET', `/api/public/${target}`, undefined, headers)
        refused(response, target, 401)
        hides(fixture, response, target, 'alice/own.txt')
        assert(!/own\.txt|alice|"token"/.test(response.text), `${target} describes the shared file`)
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
    attack: 'secrets in the lists of shares',
    reason: 'responses contain selected fields, and no hashes or tokens',
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
    attack: 'a share whose owner has lost the right to share',
    reason: 'the rights of the owner are read each time the share is used',
    advisories: ['FileRise 3.45 (a link of a user who lost access)'],
    async run(fixture) {
      const perm = { create: true, share: true, download: true }
      const made = works(await fixture.addUser('lender', { scope: '/alice', perm }), 'a user', 201)
      const id = Number(made.headers.get('location')?.split('/').at(-1))
      fixture.tokens.lender = (await fixture.signIn('lender')).text
      const hash = await share(fixture, 'lender', '/own.txt')
      works(await fixture.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      for (const remaining of [{ create: true, download: true }, { create: true }]) {
        const body = {
          what: 'user',
          which: ['perm'],
          current_password: fixture.password,
          data: { id, perm: remaining },
        }
        works(await fixture.call('admin', 'PUT', `/api/users/${id}`, body), 'taking the right')
        const response = await fixture.call('', 'GET', `/api/public/dl/${hash}`)
        refused(response, 'the link', 403)
        hides(fixture, response, 'the link', 'alice/own.txt')
      }
    },
  },
  {
    id: 'G-53',
    attack: 'an expired share, and an invalid expiry',
    reason: 'the expiry is checked whenever a share is opened or listed',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt', { expires: '1', unit: 'seconds' })
      const lasting = await share(fixture, 'alice', '/own.txt')
      const query = '?expires=2147483648&unit=seconds'
      refused(
        await fixture.call('alice', 'POST', `/api/share/own.txt${query}`, {}),
        'an expiry too far in the future',
        400,
      )
      await new Promise((resolve) => setTimeout(resolve, 2100))
      for (const kind of ['share', 'dl']) {
        const response = await fixture.call('', 'GET', `/api/public/${kind}/${hash}`)
        refused(response, kind, 404)
        hides(fixture, response, kind, 'alice/own.txt')
      }
      const listed = works(await fixture.call('alice', 'GET', '/api/shares'), 'the shares')
      assert(!listed.text.includes(hash), 'the share is listed')
      assert(listed.text.includes(lasting), 'the list lacks a share')
      works(await fixture.call('', 'GET', `/api/public/dl/${lasting}`), 'a share without an expiry')
    },
  },
  {
    id: 'G-54',
    attack: 'the shares of other users',
    reason: 'users see their own shares, administrators all shares with their owners',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt')
      for (const target of ['/api/shares', '/api/share/own.txt']) {
        const response = works(await fixture.call('bob', 'GET', target), target)
        assert(!response.text.includes(hash), `${target} shows bob the link of another user`)
        const own = works(await fixture.call('alice', 'GET', target), target)
        assert(own.text.includes(hash), `${target} does not show alice her link`)
      }
      const all = works(await fixture.call('admin', 'GET', '/api/shares'), 'an administrator')
      assert(
        all.text.includes(hash) && all.text.includes('"username":"alice"'),
        'the share is not listed for an administrator',
      )
    },
  },
  {
    id: 'G-55',
    attack: 'guessing the links of shares',
    reason: 'a link has 96 random bits; its token has 768 and is compared in constant time',
    async run(fixture) {
      const hash = await share(fixture, 'alice', '/own.txt', { password: 'tell nobody' })
      // Base64url: six bits in each character.
      assert(hash.length === 96 / 6, 'the hash is short')
      const wrongAnswers = [
        await fixture.call('', 'GET', '/api/public/share/AAAAAAAAAAAAAAAA'),
        await fixture.call('', 'GET', '/api/public/dl/x'),
      ]
      for (const response of wrongAnswers) refused(response, 'a guess', 404)
      assert(wrongAnswers[0]?.text === wrongAnswers[1]?.text, 'the responses to guesses differ')
      const right = { 'X-SHARE-PASSWORD': 'tell%20nobody' }
      const opened = await fixture.call('', 'GET', `/api/public/share/${hash}`, undefined, right)
      assert(
        JSON.parse(works(opened, 'the password').text).token.length === 768 / 6,
        'the token is short',
      )
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
  const response = works(
    await fixture.call(who, 'POST', `/api/share${path}`, options),
    `sharing ${path}`,
  )
  return JSON.parse(response.text).hash
}
