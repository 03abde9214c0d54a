/** Downloads, headers, and scripts in files. */
import { writeFileSync } from 'node:fs'
import { assert, refusedOrPage, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Answer } from '../raw-request.ts'

const SANDBOX =
  'people’s bytes come with nosniff and a sandbox policy, as attachments unless they run nothing'
const SCRIPT = '<script>alert(1)</script>'

export const downloadCases: AttackCase[] = [
  {
    id: 'G-81',
    attack: 'backslashes in the names of an archive',
    because: 'a backslash is never a separator here, and becomes an underscore in archives',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/pub', '..\\..\\evil.sh'), 'evil')
      for (const algo of ['zip', 'tar']) {
        const answer = works(await fixture.raw('alice', 'GET', `/api/raw/pub/?algo=${algo}`), algo)
        assert(
          !answer.text.includes('..\\') && !answer.text.includes('../'),
          `${algo} holds a name that climbs`,
        )
        assert(answer.text.includes('evil.sh'), `${algo} lacks the file`)
      }
    },
  },
  {
    id: 'G-82',
    attack: 'pages and drawings with scripts, shown inline',
    because: SANDBOX,
    async run(fixture) {
      writeFileSync(fixture.disk('alice/x.html'), SCRIPT)
      writeFileSync(
        fixture.disk('alice/x.svg'),
        `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`,
      )
      const made = works(await fixture.call('alice', 'POST', '/api/share/x.html', {}), 'a link')
      const { hash } = JSON.parse(made.text)
      for (const [who, target] of [
        ['alice', '/api/raw/x.html?inline=true'],
        ['alice', '/api/raw/x.svg?inline=true'],
        ['alice', '/api/preview/big/x.svg?inline=true'],
        ['', `/api/public/dl/${hash}?inline=true`],
      ] as const) {
        runsNothing(works(await fixture.call(who, 'GET', target), target), target)
      }
      const saved = works(await fixture.call('alice', 'GET', '/api/raw/x.html'), 'saving')
      assert(
        saved.headers.get('content-type') === 'application/octet-stream',
        'it has a type of its own',
      )
      assert(
        /^attachment/.test(saved.headers.get('content-disposition') ?? ''),
        'it is not an attachment',
      )
    },
  },
  {
    id: 'G-83',
    attack: 'headers in a file’s name',
    because: 'a name travels in a header percent-encoded, by RFC 8187',
    async run(fixture) {
      for (const name of ['a\r\nX-Evil: 1.txt', 'a".txt', 'ü;b=c.txt']) {
        writeFileSync(fixture.disk('alice', name), 'x')
        const answer = works(
          await fixture.raw('alice', 'GET', `/api/raw/${encodeURIComponent(name)}`),
          'the name',
        )
        assert(answer.headers.get('x-evil') === null, 'a header was made of it')
        const sent = answer.headers.get('content-disposition') ?? ''
        assert(/filename\*=utf-8''[\w%.~$&+:=@-]+$/i.test(sent), `the name travels as ${sent}`)
      }
    },
  },
  {
    id: 'G-84',
    attack: 'scripts in Markdown and in books',
    because:
      'rendered text is sanitised, a book’s page is a frame that runs nothing; the bytes are sandboxed',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/x.md'), '<img src=x onerror="alert(1)">')
      writeFileSync(fixture.disk('alice/x.epub'), `PK\u0003\u0004\0${SCRIPT}`)
      for (const name of ['x.md', 'x.epub']) {
        const target = `/api/raw/${name}?inline=true`
        const answer = works(await fixture.call('alice', 'GET', target), target)
        runsNothing(answer, target)
        const type = answer.headers.get('content-type')
        const attached = /^attachment/.test(answer.headers.get('content-disposition') ?? '')
        if (name === 'x.md') assert(type === 'text/plain; charset=utf-8', `${name} is ${type}`)
        else assert(attached && type === 'application/octet-stream', `${name} is shown`)
      }
    },
  },
  {
    id: 'G-85',
    attack: 'a page broken out of by the instance’s name',
    because: 'settings travel as JSON without a < in a script that is data',
    async run(fixture) {
      const name = `</script>${SCRIPT}"'&\u2028`
      works(await fixture.settings({ branding: { name, color: `red}${SCRIPT}` } }), 'the name')
      const page = works(await fixture.call('', 'GET', '/login'), 'the page')
      assert(!page.text.includes(SCRIPT), 'a script was made of it')
      works(await fixture.settings({ branding: { name: '', color: '' } }), 'taking it back')
    },
  },
  {
    id: 'G-86',
    attack: 'text that is sent back, and addresses that lead elsewhere',
    because: 'refusals are plain text, and nothing redirects',
    async run(fixture) {
      for (const target of [
        '/api/raw/%3Cscript%3E',
        '//evil.example/',
        '/login?redirect=//evil.example',
        '/%5cevil.example',
      ]) {
        const answer = await fixture.raw('alice', 'GET', target)
        refusedOrPage(answer, target, 404)
        assert(
          !answer.text.includes('<script>evil') && answer.headers.get('location') === null,
          `${target} leads away`,
        )
        const html = /html/.test(answer.headers.get('content-type') ?? '')
        assert(answer.status === 200 || !html, `${target} is refused by a page`)
      }
    },
  },
  {
    id: 'G-87',
    attack: 'our own page in another’s frame, and what it tells others',
    because: 'the page carries a policy by nonce, may not be framed, and sends no referrer',
    async run(fixture) {
      for (const target of ['/', '/login', '/share/x', '/files/']) {
        const { headers } = works(await fixture.call('', 'GET', target), target)
        const policy = headers.get('content-security-policy') ?? ''
        assert(
          /script-src 'nonce-/.test(policy) && !/unsafe-(inline|eval)/.test(policy),
          `${target}: ${policy}`,
        )
        assert(/frame-ancestors 'none'/.test(policy), `${target} may be framed`)
        assert(headers.get('x-content-type-options') === 'nosniff', `${target} may be sniffed`)
        assert(
          /^(no-referrer|same-origin)$/.test(headers.get('referrer-policy') ?? ''),
          `${target} sends a referrer`,
        )
      }
      const api = works(await fixture.call('alice', 'GET', '/api/resources/'), 'the API')
      assert(/no-store|private/.test(api.headers.get('cache-control') ?? ''), 'the API may be kept')
    },
  },
  {
    id: 'G-88',
    attack: 'another site that reads the API',
    because: 'no answer allows another origin anything',
    async run(fixture) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        for (const target of ['/api/resources/', '/api/tus/x', '/api/login']) {
          const { headers } = await fixture.call('alice', method, target, undefined, {
            Origin: 'https://evil.example',
          })
          const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
          assert(allowed.length === 0, `${method} ${target} allows ${allowed}`)
        }
      }
      works(
        await fixture.call('alice', 'GET', '/api/resources/', undefined, { Origin: fixture.url }),
        'our own',
      )
    },
  },
  {
    id: 'G-89',
    attack: 'formulas in a table of ours',
    because:
      'people’s tables pass through as they are; every cell of ours that begins a formula is made text',
    async run(fixture) {
      const table = '=1+1,+2,-3,@x\r\n'
      writeFileSync(fixture.disk('alice/t.csv'), table)
      const answer = works(
        await fixture.call('alice', 'GET', '/api/raw/t.csv?inline=true'),
        'the table',
      )
      assert(answer.text === table, 'the table was changed')
      runsNothing(answer, 'the table')
    },
  },
]

function runsNothing({ headers }: Answer, what: string): void {
  assert(headers.get('x-content-type-options') === 'nosniff', `${what} may be sniffed`)
  const attached = /^attachment/.test(headers.get('content-disposition') ?? '')
  const policy = headers.get('content-security-policy') ?? ''
  assert(
    attached || /sandbox(;|$)/.test(policy) || /script-src 'none'/.test(policy),
    `${what} may run`,
  )
}
