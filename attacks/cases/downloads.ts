/** Downloads, headers, and scripts in files. */
import { writeFileSync } from 'node:fs'
import { assert, refusedOrPage, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { RawResponse } from '../raw-request.ts'

const SANDBOX =
  'files are sent with nosniff and a sandbox policy, and as attachments unless their type cannot run scripts'
const SCRIPT = '<script>alert(1)</script>'

export const downloadCases: AttackCase[] = [
  {
    id: 'G-81',
    attack: 'backslashes in the names of an archive',
    reason:
      'a backslash is never a separator, and becomes an underscore in a zip, and in any name that would lead outside with it',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/pub', '..\\..\\evil.sh'), 'evil')
      for (const algo of ['zip', 'tar']) {
        const response = works(
          await fixture.raw('alice', 'GET', `/api/raw/pub/?algo=${algo}`),
          algo,
        )
        assert(
          !response.text.includes('..\\') && !response.text.includes('../'),
          `${algo} contains a name with ..`,
        )
        assert(response.text.includes('evil.sh'), `${algo} lacks the file`)
      }
    },
  },
  {
    id: 'G-82',
    attack: 'HTML and SVG files with scripts, shown in the browser',
    reason: SANDBOX,
    advisories: ['CVE-2026-28683'],
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
        'the download has another type',
      )
      assert(
        /^attachment/.test(saved.headers.get('content-disposition') ?? ''),
        'the download is not an attachment',
      )
    },
  },
  {
    id: 'G-83',
    attack: 'header injection by the name of a file',
    reason:
      'a name in a header is percent-encoded by RFC 8187; beside it is a name in ASCII without quotes',
    async run(fixture) {
      for (const name of ['a\r\nX-Evil: 1.txt', 'a".txt', 'ü;b=c.txt']) {
        writeFileSync(fixture.disk('alice', name), 'x')
        const response = works(
          await fixture.raw('alice', 'GET', `/api/raw/${encodeURIComponent(name)}`),
          'the name',
        )
        assert(response.headers.get('x-evil') === null, 'the name adds a header')
        assert(response.text === 'x', 'the file has other content')
        const sent = response.headers.get('content-disposition') ?? ''
        const isSafe = /filename="[ !#-[\]-~]+"; filename\*=utf-8''[\w%.~$&+:=@-]+$/i.test(sent)
        assert(isSafe, `the name is sent as ${sent}`)
      }
    },
  },
  {
    id: 'G-84',
    attack: 'scripts in Markdown files and in books, which a link opens in the browser',
    reason: 'Markdown is sent as plain text and a book as an attachment, both in a sandbox',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/x.md'), '<img src=x onerror="alert(1)">')
      writeFileSync(fixture.disk('alice/x.epub'), `PK\u0003\u0004\0${SCRIPT}`)
      for (const name of ['x.md', 'x.epub']) {
        const target = `/api/raw/${name}?inline=true`
        const response = works(await fixture.call('alice', 'GET', target), target)
        runsNothing(response, target)
        const type = response.headers.get('content-type')
        const isAttachment = /^attachment/.test(response.headers.get('content-disposition') ?? '')
        if (name === 'x.md') assert(type === 'text/plain; charset=utf-8', `${name} is ${type}`)
        else assert(isAttachment && type === 'application/octet-stream', `${name} is shown`)
        assert(response.text === fixture.read('alice', name), `${name} has other content`)
      }
    },
  },
  {
    id: 'G-85',
    attack: 'script injection into the page by the name of the instance',
    reason: 'settings are JSON without < in a script element that is not executed',
    async run(fixture) {
      const name = `</script>${SCRIPT}"'&\u2028`
      const color = `red}${SCRIPT}`
      try {
        works(await fixture.settings({ branding: { name, color } }), 'the name')
        const page = works(await fixture.call('', 'GET', '/login'), 'the page')
        assert(!page.text.includes(SCRIPT), 'the page contains the script')
        const settings = /<script[^>]* id="settings"[^>]*>(.*?)<\/script>/s.exec(page.text)?.[1]
        const { Name, Color } = JSON.parse(settings ?? '{}')
        assert(Name === name && Color === color, 'the page lacks the name or the color')
      } finally {
        await fixture.settings({ branding: { name: '', color: '' } })
      }
    },
  },
  {
    id: 'G-86',
    attack: 'reflected text, and open redirects',
    reason: 'refusals are plain text, and no route redirects to another site',
    async run(fixture) {
      for (const target of [
        '/api/raw/%3Cscript%3E',
        '//evil.example/',
        '/login?redirect=//evil.example',
        '/%5cevil.example',
      ]) {
        const response = await fixture.raw('alice', 'GET', target)
        refusedOrPage(response, target, 404)
        assert(response.headers.get('location') === null, `${target} redirects`)
        const isHtml = /html/.test(response.headers.get('content-type') ?? '')
        assert(response.status === 200 || !isHtml, `${target} is refused with an HTML page`)
        assert(!isHtml || !response.text.includes('evil.example'), `${target} is in the page`)
      }
    },
  },
  {
    id: 'G-87',
    attack: 'the interface in a frame of another site, and its referrer',
    reason: 'the page has a policy with a nonce, forbids frames, and sends no referrer',
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
        assert(headers.get('referrer-policy') === 'no-referrer', `${target} sends a referrer`)
      }
      const api = works(await fixture.call('alice', 'GET', '/api/resources/'), 'the API')
      assert(/no-store|private/.test(api.headers.get('cache-control') ?? ''), 'the API may be kept')
    },
  },
  {
    id: 'G-88',
    attack: 'another site that reads the API',
    reason: 'no response allows another origin',
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
        'the own origin',
      )
    },
  },
  {
    id: 'G-89',
    attack: 'formulas in exported tables',
    reason:
      'uploaded tables are not changed; in exported tables each cell that begins a formula becomes text',
    async run(fixture) {
      const table = '=1+1,+2,-3,@x\r\n'
      writeFileSync(fixture.disk('alice/t.csv'), table)
      const response = works(
        await fixture.call('alice', 'GET', '/api/raw/t.csv?inline=true'),
        'the table',
      )
      assert(response.text === table, 'the table was changed')
      runsNothing(response, 'the table')
      works(await fixture.addUser('=1+1', { scope: '/alice' }), 'a user', 201)
      const audit = works(await fixture.call('admin', 'GET', '/api/audit?format=csv'), 'the export')
      const cells = audit.text.split(/[,\r\n]+/)
      assert(cells.includes("'=1+1"), 'the export lacks the name')
      assert(!cells.some((cell) => /^"?[=+@-]/.test(cell)), 'the export has a formula')
    },
  },
]

/** The browser must not run a script in the response. */
function runsNothing({ headers }: RawResponse, description: string): void {
  assert(headers.get('x-content-type-options') === 'nosniff', `${description} may be sniffed`)
  const isAttachment = /^attachment/.test(headers.get('content-disposition') ?? '')
  const policy = headers.get('content-security-policy') ?? ''
  assert(
    isAttachment || /sandbox(;|$)/.test(policy) || /script-src 'none'/.test(policy),
    `${description} may run`,
  )
}
