/** E. Public links. */
import type { Case } from '../case.ts'
import { hides, must, refused, refusedOrPage, untouched, works } from '../claims.ts'
import type { World } from '../world.ts'

const OWN_JAIL = 'what is shared is a jail of its own, read and nothing else'

export const shareCases: Case[] = [
  {
    id: 'G-43',
    attack: 'deleting somebody else’s link',
    because: 'a link is removed by its owner or an administrator',
    async run(world) {
      const hash = await share(world, 'alice', '/own.txt')
      refused(await world.call('bob', 'DELETE', `/api/share/${hash}`), 'deleting', 403)
      works(await world.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      works(await world.call('alice', 'DELETE', `/api/share/${hash}`), 'alice')
    },
  },
  {
    id: 'G-44',
    attack: 'losing links by deleting a file of a like name',
    because: 'links go with exactly what they point to, and what lies below it',
    async run(world) {
      for (const who of ['alice', 'bob']) {
        works(await world.call(who, 'POST', '/api/resources/abc.txt', 'x'), 'a file')
      }
      const hashes = [
        await share(world, 'alice', '/abc.txt'),
        await share(world, 'bob', '/abc.txt'),
      ]
      works(await world.call('alice', 'POST', '/api/resources/a', 'x'), 'a file called a')
      works(await world.call('alice', 'DELETE', '/api/resources/a'), 'deleting it', 204)
      for (const hash of hashes)
        works(await world.call('', 'GET', `/api/public/dl/${hash}`), 'a link')
    },
  },
  {
    id: 'G-45',
    attack: 'a link that outlives its folder',
    because: 'links go with what they point to, however the path is spelled',
    async run(world) {
      const hash = await share(world, 'alice', '/pub/')
      works(await world.call('alice', 'DELETE', '/api/resources/pub/'), 'deleting', 204)
      works(
        await world.call('alice', 'POST', '/api/resources/pub/new.txt', 'new'),
        'making it anew',
      )
      refused(await world.call('', 'GET', `/api/public/share/${hash}`), 'the old link', 404)
    },
  },
  {
    id: 'G-46',
    attack: 'sharing what is not there yet',
    because: 'a link is made to something that exists',
    async run(world) {
      refused(await world.call('alice', 'POST', '/api/share/not-there.txt', {}), 'sharing', 404)
      must(
        !(await world.call('alice', 'GET', '/api/shares')).text.includes('not-there'),
        'it is listed',
      )
    },
  },
  {
    id: 'G-47',
    attack: 'looking above a shared folder',
    because: OWN_JAIL,
    async run(world) {
      const hash = await share(world, 'alice', '/pub/')
      const listed = works(await world.call('', 'GET', `/api/public/share/${hash}/`), 'the share')
      must(!listed.text.includes('own.txt'), 'the listing shows the folder above')
      const answer = await world.call('', 'GET', `/api/public/dl/${hash}/own.txt`)
      refused(answer, 'a neighbour', 404)
      hides(world, answer, 'a neighbour', 'alice/own.txt')
    },
  },
  {
    id: 'G-48',
    attack: 'climbing out of a link, and writing through it',
    because: OWN_JAIL,
    async run(world) {
      const hash = await share(world, 'alice', '/pub/')
      for (const target of [
        `/api/public/dl/${hash}/../own.txt`,
        `/api/public/dl/${hash}/..%2fown.txt`,
      ]) {
        const answer = await world.raw('', 'GET', target)
        refusedOrPage(answer, target, 404)
        hides(world, answer, target, 'alice/own.txt')
      }
      for (const method of ['DELETE', 'PATCH', 'PUT', 'POST']) {
        for (const kind of ['share', 'dl']) {
          const target = `/api/public/${kind}/${hash}/in.txt`
          refused(await world.call('', method, target, 'x'), `${method} ${kind}`, 404)
        }
      }
      untouched(world, 'the attempt', 'alice/pub/in.txt')
      works(await world.call('', 'GET', `/api/public/dl/${hash}/in.txt`), 'what is shared')
    },
  },
  {
    id: 'G-49',
    attack: 'other files through the link of one',
    because: 'a file’s link leads to that file, whatever name is written after it',
    async run(world) {
      const hash = await share(world, 'alice', '/own.txt')
      for (const name of ['junk.txt', 'pub/in.txt', 'other.txt']) {
        const answer = await world.call('', 'GET', `/api/public/dl/${hash}/${name}`)
        if (name.includes('/')) refused(answer, name, 404)
        hides(world, answer, name, 'alice/junk.txt', 'alice/pub/in.txt')
      }
      works(await world.call('', 'GET', `/api/public/dl/${hash}/own.txt`), 'the file')
    },
  },
  {
    id: 'G-50',
    attack: 'a link with a password, without it',
    because: 'nothing is said of what is behind it before the password or the token is right',
    async run(world) {
      const hash = await share(world, 'alice', '/own.txt', { password: 'tell nobody' })
      for (const [target, headers] of [
        [`share/${hash}`, {}],
        [`dl/${hash}`, {}],
        [`dl/${hash}?inline=true`, {}],
        [`dl/${hash}?algo=zip`, {}],
        [`preview/thumb/${hash}`, {}],
        [`share/${hash}`, { 'X-SHARE-PASSWORD': 'wrong' }],
        [`dl/${hash}?token=wrong`, {}],
      ] as const) {
        const answer = await world.call('', 'GET', `/api/public/${target}`, undefined, headers)
        refused(answer, target, 401)
        hides(world, answer, target, 'alice/own.txt')
        must(!/own\.txt|alice|"token"/.test(answer.text), `${target} says what is behind it`)
      }
      const right = { 'X-SHARE-PASSWORD': 'tell%20nobody' }
      const opened = works(
        await world.call('', 'GET', `/api/public/share/${hash}`, undefined, right),
        'the password',
      )
      const { token } = JSON.parse(opened.text)
      works(await world.call('', 'GET', `/api/public/dl/${hash}?token=${token}`), 'the token')
    },
  },
  {
    id: 'G-51',
    attack: 'secrets in the lists of links',
    because: 'answers are put together field by field; hashes and tokens are not among them',
    async run(world) {
      await share(world, 'alice', '/own.txt', { password: 'tell nobody' })
      for (const who of ['alice', 'admin']) {
        const listed = works(await world.call(who, 'GET', '/api/shares'), who)
        must(!/argon2|password_hash|"password"|"token"/.test(listed.text), `${who} sees a secret`)
        must(listed.text.includes('"hasPassword":true'), `${who} does not see that there is one`)
      }
    },
  },
  {
    id: 'G-52',
    attack: 'a link whose owner may share no more',
    because: 'the owner’s rights are read at every use of the link',
    async run(world) {
      const perm = { create: true, share: true, download: true }
      const made = works(await world.addUser('lender', { scope: '/alice', perm }), 'a user', 201)
      const id = Number(made.headers.get('location')?.split('/').at(-1))
      world.tokens.lender = (await world.signIn('lender')).text
      const hash = await share(world, 'lender', '/own.txt')
      works(await world.call('', 'GET', `/api/public/dl/${hash}`), 'the link')
      for (const less of [{ create: true, download: true }, { create: true }]) {
        const body = {
          what: 'user',
          which: ['perm'],
          current_password: world.password,
          data: { id, perm: less },
        }
        works(await world.call('admin', 'PUT', `/api/users/${id}`, body), 'taking the right')
        const answer = await world.call('', 'GET', `/api/public/dl/${hash}`)
        refused(answer, 'the link', 403)
        hides(world, answer, 'the link', 'alice/own.txt')
      }
    },
  },
  {
    id: 'G-53',
    attack: 'a link after its time, and a time that is none',
    because: 'time is looked at whenever a link is opened or listed',
    async run(world) {
      const hash = await share(world, 'alice', '/own.txt', { expires: '1', unit: 'seconds' })
      const query = '?expires=2147483648&unit=seconds'
      refused(
        await world.call('alice', 'POST', `/api/share/own.txt${query}`, {}),
        'too long a time',
        400,
      )
      await new Promise((resolve) => setTimeout(resolve, 2100))
      for (const kind of ['share', 'dl']) {
        const answer = await world.call('', 'GET', `/api/public/${kind}/${hash}`)
        refused(answer, kind, 404)
        hides(world, answer, kind, 'alice/own.txt')
      }
      must(!(await world.call('alice', 'GET', '/api/shares')).text.includes(hash), 'it is listed')
    },
  },
  {
    id: 'G-54',
    attack: 'other people’s lists',
    because: 'people see their own links, administrators everybody’s with their names',
    async run(world) {
      const hash = await share(world, 'alice', '/own.txt')
      for (const target of ['/api/shares', '/api/share/own.txt']) {
        const answer = await world.call('bob', 'GET', target)
        must(!answer.text.includes(hash), `${target} shows bob another’s link`)
      }
      const all = works(await world.call('admin', 'GET', '/api/shares'), 'an administrator')
      must(all.text.includes(hash) && all.text.includes('"username":"alice"'), 'it is not shown')
    },
  },
  {
    id: 'G-55',
    attack: 'guessing links',
    because: 'a link’s name has 96 random bits, its token 768, compared in constant time',
    async run(world) {
      const hash = await share(world, 'alice', '/own.txt', { password: 'tell nobody' })
      must(hash.length >= 12, 'the name is short')
      const wrong = [
        await world.call('', 'GET', '/api/public/share/AAAAAAAAAAAAAAAA'),
        await world.call('', 'GET', '/api/public/dl/x'),
      ]
      for (const answer of wrong) refused(answer, 'a guess', 404)
      must(wrong[0]?.text === wrong[1]?.text, 'a guess is told apart')
      const right = { 'X-SHARE-PASSWORD': 'tell%20nobody' }
      const opened = await world.call('', 'GET', `/api/public/share/${hash}`, undefined, right)
      must(JSON.parse(opened.text).token.length >= 22, 'the token is short')
    },
  },
]

/** @returns the hash of a new link */
async function share(
  world: World,
  who: string,
  path: string,
  wish: Record<string, string> = {},
): Promise<string> {
  const answer = works(await world.call(who, 'POST', `/api/share${path}`, wish), `sharing ${path}`)
  return JSON.parse(answer.text).hash
}
