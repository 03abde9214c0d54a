import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { rawRequest } from '#attacks/raw-request.ts'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { LIMITS } from '#wire/limits.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let bob: Client
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'bob'))
  bob = await app.person('bob', '--scope', '/bob')
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
beforeEach(async () => {
  for (const share of await shares(app.admin))
    await app.admin.call('DELETE', `${API.share}/${share.hash}`)
  rmSync(disk(), { recursive: true, force: true })
  mkdirSync(disk('pub', 'sub'), { recursive: true })
  writeFileSync(disk('own.txt'), 'OWN')
  writeFileSync(disk('pub', 'in.txt'), 'IN')
  writeFileSync(disk('pub', 'sub', 'deep.txt'), 'DEEP')
})

const shares = async (by: Client) => (await (await by.call('GET', API.shares)).json()) as Share[]
const share = async (path: string, body: object = {}, by = app.anna) => {
  const answer = await by.call('POST', `${API.share}${path}`, body)
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Share
}
const visit = (address: string, headers: Record<string, string> = {}) =>
  app.anonymous.call('GET', address, undefined, headers)
const look = (hash: string, path = '', headers = {}) =>
  visit(`${API.publicShare}/${hash}${path}`, headers)
const fetchFile = (hash: string, path = '', headers = {}) =>
  visit(`${API.publicDownload}/${hash}${path}`, headers)

describe('words', () => {
  test('a link carries words and the name of its owner where that is wanted, for those who may open it @spec-2.17 @limit-81', async () => {
    const message = '<b>Look</b>\nat these'
    const { hash } = await share('/pub', { message: ` ${message} `, showOwner: true })
    expect(await (await look(hash)).json()).toMatchObject({ sharedBy: 'anna', message })
    const locked = await share('/pub', { message, showOwner: true, password: 'sesame' })
    expect(await (await look(locked.hash)).text()).not.toMatch(/anna|Look/)
    const silent = await (await look((await share('/pub')).hash)).json()
    expect(Object.keys(silent)).not.toContain('sharedBy')
    expect(Object.keys(silent)).not.toContain('message')
    const long = { message: 'x'.repeat(LIMITS.shareMessageMax + 1) }
    expect(await outcome(app.anna.call('POST', `${API.share}/pub`, long))).toBe('400 badRequest')
  })
})

describe('who may', () => {
  test('making a share needs a session and the permission to share @spec-7.31', async () => {
    const mute = await app.person('mute', '--scope', '/anna', '--perm.share=false')
    expect(await outcome(app.anonymous.call('POST', `${API.share}/own.txt`, {}))).toBe(
      '401 unauthenticated',
    )
    expect(await outcome(mute.call('POST', `${API.share}/own.txt`, {}))).toBe('403 forbidden')
    expect(await outcome(mute.call('GET', API.shares))).toBe('403 forbidden')
    expect(await outcome(app.anna.call('POST', `${API.share}/own.txt`, {}))).toBe('200')
  })

  test('users see and end their own shares; administrators see all, with their owners @spec-7.30 @spec-7.32', async () => {
    const { hash } = await share('/own.txt')
    expect(await shares(bob)).toEqual([])
    expect(await outcome(bob.call('DELETE', `${API.share}/${hash}`))).toBe('403 forbidden')
    expect(await shares(app.anna)).toMatchObject([
      { hash, path: '/own.txt', expire: 0, hasPassword: false },
    ])
    expect(await shares(app.admin)).toMatchObject([{ hash, username: 'anna' }])
    const forPath = (await (
      await app.admin.call('GET', `${API.share}/anna/own.txt`)
    ).json()) as Share[]
    expect(forPath).toMatchObject([{ hash }])
    expect(await outcome(app.anna.call('DELETE', `${API.share}/${hash}`))).toBe('200')
    expect(await outcome(look(hash))).toBe('404 notFound')
    expect(await outcome(app.anna.call('DELETE', `${API.share}/${hash}`))).toBe('404 notFound')
  })

  test('a visit of the page of a share, or of its download address alone, is counted @spec-4.4', async () => {
    const { hash } = await share('/pub/')
    const visits = async () => (await shares(app.anna))[0]?.visits
    expect(await visits()).toBe(0)
    expect(await outcome(look(hash))).toBe('200')
    expect(await outcome(look(hash, '/'))).toBe('200')
    await expectVisits(2)
    // Below it one is still on the same visit, and so is who downloads from the page or goes on with a download.
    expect(await outcome(look(hash, '/sub'))).toBe('200')
    expect(await outcome(look(hash, '/missing'))).toBe('404 notFound')
    await fetchFile(hash, '', { 'Sec-Fetch-Site': 'same-origin' })
    await fetchFile(hash, '/in.txt')
    await fetchFile(hash, '', { Range: 'bytes=1-' })
    await (await fetchFile(hash)).bytes()
    await expectVisits(3)

    async function expectVisits(count: number): Promise<void> {
      while (((await visits()) ?? 0) < count) await Bun.sleep(1)
      expect(await visits()).toBe(count)
    }
  })

  test('HEAD, previews of links, later ranges and refused requests are no visits', async () => {
    const { hash } = await share('/own.txt')
    const page = `${API.publicShare}/${hash}`
    const file = `${API.publicDownload}/${hash}`
    const visits = async () => (await shares(app.anna))[0]?.visits
    const robots = [
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      'WhatsApp/2.23.20.0',
      'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
      'TelegramBot (like TwitterBot)',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    ]
    for (const agent of robots) {
      expect(await outcome(visit(page, { 'User-Agent': agent }))).toBe('200')
      expect(await outcome(visit(file, { 'User-Agent': agent }))).toBe('200')
    }
    for (const address of [page, file]) {
      expect(await outcome(app.anonymous.call('HEAD', address))).toBe('200')
    }
    // A continued download, one that is refused, and one of a page of the same site.
    expect(await outcome(visit(file, { Range: 'bytes=1-' }))).toBe('206')
    expect(await outcome(visit(file, { Range: 'bytes=-1' }))).toBe('206')
    expect(await outcome(visit(file, { Range: 'bytes=1-1,2-2' }))).toBe('206')
    expect(await outcome(visit(file, { 'If-Match': '"old"' }))).toBe('412 precondition')
    expect(await outcome(visit(file, { Range: 'bytes=99-' }))).toBe('416 rangeUnsatisfiable')
    expect(await outcome(visit(file, { 'Sec-Fetch-Site': 'same-site' }))).toBe('200')
    expect(await visits()).toBe(0)
    // The first part of a download, as players request it, and the page in a browser.
    expect(await outcome(visit(file, { Range: 'bytes=0-' }))).toBe('206')
    expect(await outcome(visit(page, { 'User-Agent': 'Mozilla/5.0 (Linux) Chrome/130' }))).toBe(
      '200',
    )
    // The link of File Browser's button, with the path of the file.
    expect(await outcome(visit(`${file}/own.txt`))).toBe('200')
    while (((await visits()) ?? 0) < 3) await Bun.sleep(1)
    expect(await visits()).toBe(3)
  })

  test('a missing path, or one that leads outside, cannot be shared @spec-7.31 @spec-11.13', async () => {
    symlinkSync(app.root, disk('out'))
    expect(await outcome(app.anna.call('POST', `${API.share}/missing`, {}))).toBe('404 notFound')
    expect(await outcome(app.anna.call('POST', `${API.share}/out`, {}))).toBe('403 outside')
    expect(await shares(app.anna)).toEqual([])
  })
})

describe('a shared file', () => {
  test('a shared file is described and sent, whatever path follows @spec-7.41', async () => {
    const { hash } = await share('/own.txt')
    expect(hash).toMatch(/^[\w-]{16}$/)
    expect(await (await look(hash)).json()).toMatchObject({
      path: '',
      name: 'own.txt',
      size: 3,
      isDir: false,
      expire: 0,
    })
    expect(await (await fetchFile(hash)).text()).toBe('OWN')
    expect(await (await fetchFile(hash, '/own.txt')).text()).toBe('OWN')
    // A path after the hash has no meaning: no other file is sent.
    expect(await (await fetchFile(hash, '/pub/in.txt')).text()).toBe('OWN')
    expect((await look(hash)).headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('a shared folder', () => {
  test('a shared folder is a root of its own, and nothing above it exists @spec-7.42', async () => {
    const { hash, path } = await share('/pub/')
    expect(path).toBe('/pub/')
    const listing = (await (await look(hash)).json()) as Listing
    expect(listing).toMatchObject({ path: '/', name: 'pub', numDirs: 1, numFiles: 1 })
    expect(listing.items.map((item) => String(item.path))).toEqual(['/sub', '/in.txt'])
    expect(await (await look(hash, '/sub/')).json()).toMatchObject({
      path: '/sub',
      name: 'pub',
      items: [{ path: '/sub/deep.txt' }],
    })
    expect(await (await fetchFile(hash, '/sub/deep.txt')).text()).toBe('DEEP')
    for (const way of ['/own.txt', '/..%2fown.txt', '/%2e%2e/own.txt', '/../own.txt']) {
      const { status, text } = await rawRequest(
        app.url,
        'GET',
        `${API.publicDownload}/${hash}${way}`,
      )
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain('OWN')
    }
  })

  test('a shared folder is read, and nothing else is done with it', async () => {
    const { hash } = await share('/pub/')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const prefix of [API.publicShare, API.publicDownload]) {
        expect(await outcome(app.anonymous.call(method, `${prefix}/${hash}/in.txt`, 'x'))).toBe(
          '404 notFound',
        )
      }
    }
    expect(await (await fetchFile(hash, '/in.txt')).text()).toBe('IN')
  })

  test('a link inside a shared folder that leads out leads nowhere, though it stays with the owner', async () => {
    mkdirSync(disk('private'))
    writeFileSync(disk('private', 'p.txt'), 'PRIVATE')
    symlinkSync('../private', disk('pub', 'link'))
    const { hash } = await share('/pub/')
    expect(await outcome(fetchFile(hash, '/link/p.txt'))).toBe('403 outside')
    expect(await (await look(hash)).text()).not.toContain('"link"')
  })

  test('a shared folder that is swapped for a link after sharing leads nowhere else', async () => {
    writeFileSync(join(app.root, 'bob', 'secret.txt'), 'BOB')
    const { hash } = await share('/pub/')
    rmSync(disk('pub'), { recursive: true })
    symlinkSync('../bob', disk('pub'))
    expect(await outcome(look(hash))).toBe('403 outside')
    expect(await outcome(fetchFile(hash, '/secret.txt'))).toBe('403 outside')
  })

  test('a link in the place of a shared folder, or above it, shows nothing else of the owner’s', async () => {
    mkdirSync(disk('private/sub'), { recursive: true })
    for (const name of ['in.txt', 'sub/deep.txt']) writeFileSync(disk('private', name), 'PRIVATE')
    const links = [await share('/pub/'), await share('/pub/sub/'), await share('/pub/in.txt')]
    const swap = (target: string) => {
      rmSync(disk('pub'), { recursive: true })
      symlinkSync(target, disk('pub'))
    }
    swap('private')
    for (const { hash } of links) {
      expect(await outcome(look(hash))).toBe('404 notFound')
      expect(await outcome(fetchFile(hash))).toBe('404 notFound')
    }
    // Neither does a folder that is created again.
    rmSync(disk('pub'))
    mkdirSync(disk('pub'))
    expect(await outcome(look(links[0]?.hash ?? ''))).toBe('404 notFound')
  })
})

describe('a share whose path goes through a symbolic link', () => {
  const remove = (path: string) => outcome(app.anna.call('DELETE', `${API.resources}/${path}`))
  const make = (path: string, body: string) =>
    outcome(app.anna.call('POST', `${API.resources}/${path}`, body))

  test('a share through a symbolic link is removed when the target is deleted, whatever comes there', async () => {
    symlinkSync('pub', disk('way'))
    const folder = await share('/way/')
    const file = await share('/way/in.txt')
    expect(await outcome(look(folder.hash))).toBe('200')
    expect(await remove('pub/')).toBe('204')
    expect(await make('pub/in.txt', 'NEW')).toBe('200')
    for (const { hash } of [folder, file]) expect(await outcome(look(hash))).toBe('404 notFound')
  })

  test('a share of the target ends when the target is deleted through the link', async () => {
    symlinkSync('pub', disk('way'))
    const { hash } = await share('/pub/in.txt')
    expect(await remove('way/in.txt')).toBe('204')
    expect(await make('pub/in.txt', 'NEW')).toBe('200')
    expect(await outcome(look(hash))).toBe('404 notFound')
  })

  test('a share ends when its link leads elsewhere, or another folder has the name of the target', async () => {
    mkdirSync(disk('other'))
    writeFileSync(disk('other', 'in.txt'), 'OTHER')
    symlinkSync('pub', disk('way'))
    const { hash } = await share('/way/')
    rmSync(disk('way'))
    symlinkSync('other', disk('way'))
    expect(await outcome(look(hash))).toBe('404 notFound')
    rmSync(disk('way'))
    symlinkSync('pub', disk('way'))
    expect(await outcome(look(hash))).toBe('200')
    renameSync(disk('pub'), disk('kept'))
    renameSync(disk('other'), disk('pub'))
    expect(await outcome(look(hash))).toBe('404 notFound')
  })

  test('a share continues when the shared file is saved, and follows when all of it is moved', async () => {
    mkdirSync(disk('box'))
    renameSync(disk('pub'), disk('box', 'pub'))
    symlinkSync('pub', disk('box', 'way'))
    const { hash } = await share('/box/way/in.txt')
    const saved = await app.anna.call('PUT', `${API.resources}/box/pub/in.txt`, 'SAVED')
    expect(saved.status).toBe(200)
    expect(await (await fetchFile(hash)).text()).toBe('SAVED')
    const to = encodeURIComponent('/elsewhere')
    await app.anna.call('PATCH', `${API.resources}/box?action=rename&destination=${to}`)
    expect(await (await fetchFile(hash)).text()).toBe('SAVED')
    const away = encodeURIComponent('/elsewhere/gone')
    await app.anna.call('PATCH', `${API.resources}/elsewhere/pub?action=rename&destination=${away}`)
    expect(await outcome(fetchFile(hash))).toBe('404 notFound')
  })
})

describe('passwords of new links', () => {
  test('passwords of one user’s new links are hashed two at a time, so that others can sign in @limit-21', async () => {
    const make = () =>
      outcome(app.anna.call('POST', `${API.share}/own.txt`, { password: 'open sesame' }))
    const made = Array.from({ length: 40 }, make)
    expect((await signIn(app.url, 'bob', PASSWORD)).token).not.toBe('')
    const outcomes = new Set(await Promise.all(made))
    expect([...outcomes].sort()).toEqual(['200', '429 tooMany'])
    expect(await make()).toBe('200')
  })
})

describe('a picture behind a link', () => {
  test('a picture behind a link is shown small to those who know the password, and nothing else is @spec-7.59', async () => {
    const picture = sharp({ create: { width: 600, height: 300, channels: 3, background: 'red' } })
    mkdirSync(disk('pictures'))
    writeFileSync(disk('pictures/a.png'), await picture.png().toBuffer())
    writeFileSync(disk('pictures/b.bin'), 'text')
    const { hash } = await (
      await app.anna.call('POST', `${API.share}/pictures/`, { password: 'open sesame' })
    ).json()
    const small = (name: string, query = '') =>
      app.anonymous.call('GET', `${API.publicPreview}/thumb/${hash}/${name}${query}`)
    expect(await outcome(small('a.png'))).toBe('401 unauthenticated')
    const opened = await app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
      'X-SHARE-PASSWORD': 'open%20sesame',
    })
    const { token } = await opened.json()
    const shown = await small('a.png', `?token=${token}`)
    expect(shown.status).toBe(200)
    expect((await sharp(await shown.bytes()).metadata()).width).toBe(256)
    expect(await outcome(small('b.bin', `?token=${token}`))).toBe('415 unsupported')
    expect(await outcome(small('../own.png', `?token=${token}`))).toBe('404 notFound')
  })
})

describe('subtitles behind a link', () => {
  const read = async (answer: Promise<Response>) => (await answer).json()
  const subtitle = (path: string, query = '') =>
    app.anonymous.call('GET', `${API.publicSubtitle}/${path}${query}`)

  test('a film of a shared folder has the subtitles of this folder, for those who know the password', async () => {
    mkdirSync(disk('films/Subs'), { recursive: true })
    writeFileSync(disk('films/Film.mp4'), 'film')
    writeFileSync(disk('films/Film.de.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHallo')
    writeFileSync(disk('films/Subs/en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello')
    writeFileSync(disk('films/notes.txt'), 'no subtitles')
    const { hash } = await read(
      app.anna.call('POST', `${API.share}/films/`, { password: 'open sesame' }),
    )
    const { token } = await read(
      app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
        'X-SHARE-PASSWORD': 'open%20sesame',
      }),
    )
    const film = await read(
      app.anonymous.call('GET', `${API.publicShare}/${hash}/Film.mp4?token=${token}`),
    )
    expect(film.subtitles).toEqual(['/Film.de.srt', '/Subs/en.srt'])
    expect(await outcome(subtitle(`${hash}/Film.de.srt`))).toBe('401 unauthenticated')
    const sent = await subtitle(`${hash}/Film.de.srt`, `?token=${token}`)
    expect(sent.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(sent.headers.get('content-security-policy')).toStartWith('sandbox')
    expect(await sent.text()).toContain('Hallo')
    expect(await outcome(subtitle(`${hash}/notes.txt`, `?token=${token}`))).toBe('400 badRequest')
    expect(await outcome(subtitle(`${hash}/../own.srt`, `?token=${token}`))).toBe('404 notFound')
  })

  test('the files beside a shared film are not shared, and its entry names none', async () => {
    mkdirSync(disk('films'))
    writeFileSync(disk('films/Film.mp4'), 'film')
    writeFileSync(disk('films/Film.de.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHallo')
    const { hash } = await read(app.anna.call('POST', `${API.share}/films/Film.mp4`, {}))
    const film = await read(app.anonymous.call('GET', `${API.publicShare}/${hash}`))
    expect(film.name).toBe('Film.mp4')
    expect(film.subtitles).toBeUndefined()
    expect(await outcome(subtitle(`${hash}/Film.de.srt`))).toBe('400 badRequest')
  })
})

describe('a password', () => {
  test('the password of a share is asked for, and no answer says what is behind it @spec-7.41', async () => {
    const made = await share('/own.txt', { password: ' geheim ß ' })
    expect(made).toMatchObject({ hasPassword: true })
    expect(JSON.stringify([made, await shares(app.anna), await shares(app.admin)])).not.toMatch(
      /argon2|token|geheim/,
    )
    for (const tried of [{}, { 'X-SHARE-PASSWORD': 'wrong' }, { 'X-SHARE-PASSWORD': '%zz' }]) {
      const answer = await look(made.hash, '', tried)
      expect(answer.status).toBe(401)
      expect(await answer.text()).not.toContain('own')
      expect(await outcome(fetchFile(made.hash, '', tried))).toBe('401 unauthenticated')
    }
    expect(await outcome(fetchFile(made.hash, '?token=wrong'))).toBe('401 unauthenticated')
  })

  test('the password of a share opens the link, and gives a token that opens downloads @spec-7.41', async () => {
    const { hash } = await share('/own.txt', { password: ' geheim ß ' })
    const withPassword = (password: string) =>
      look(hash, '', { 'X-SHARE-PASSWORD': encodeURIComponent(password) })
    // Spaces at the ends belong to a password.
    const wrong = await withPassword('geheim ß')
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      'The password of this share is wrong.\n',
    ])
    expect(await (await look(hash)).text()).toBe('This share needs a password.\n')
    const empty = await app.anna.call('POST', `${API.share}/own.txt`, '')
    expect(await empty.text()).toContain('The body is empty. It must be JSON.')
    const opened = await withPassword(' geheim ß ')
    const { token } = (await opened.json()) as { token: string }
    expect(token.length).toBeGreaterThan(100)
    expect(await (await fetchFile(hash, `?token=${token}`)).text()).toBe('OWN')
    const another = await share('/pub/in.txt', { password: 'other' })
    expect(await outcome(fetchFile(another.hash, `?token=${token}`))).toBe('401 unauthenticated')
    // The whole of it, and nothing more.
    for (const part of [token.slice(0, 1), token.slice(0, -1), `${token}A`, `${token}${token}`]) {
      expect(await outcome(fetchFile(hash, `?token=${part}`))).toBe('401 unauthenticated')
    }
    expect(await outcome(fetchFile(hash, '?token='))).toBe('401 unauthenticated')
  })
})

describe('time', () => {
  test('a share lasts for the chosen time, or until it is deleted @spec-7.31', async () => {
    const inSeconds = async (body: object) =>
      (await share('/own.txt', body)).expire - Date.now() / 1000
    expect((await share('/own.txt', { expires: '', unit: 'days' })).expire).toBe(0)
    expect((await share('/own.txt', { expires: '0' })).expire).toBe(0)
    expect(await inSeconds({ expires: '2', unit: 'days' })).toBeWithin(172_700, 172_900)
    expect(await inSeconds({ expires: '1' })).toBeWithin(3500, 3700)
    expect(await inSeconds({ expires: 5, unit: 'minutes' })).toBeWithin(200, 400)
    const inAddress = await app.anna.call('POST', `${API.share}/own.txt?expires=1&unit=days`)
    expect(((await inAddress.json()) as Share).expire).toBeGreaterThan(0)
  })

  test('an end of a share that is not valid is refused', async () => {
    for (const expires of ['2147483648', '-1', 'soon', '1.5']) {
      expect(
        await outcome(app.anna.call('POST', `${API.share}/own.txt`, { expires, unit: 'seconds' })),
      ).toBe('400 badRequest')
    }
    expect(await shares(app.anna)).toEqual([])
  })

  test('a share whose time is over ends, in every list too', async () => {
    const made = await Promise.all(
      [1, 2].map(() => share('/own.txt', { expires: '1', unit: 'seconds' })),
    )
    const ends = Math.max(...made.map(({ expire }) => expire))
    while (Date.now() / 1000 < ends) await Bun.sleep(50)
    expect(await outcome(look(made[0]?.hash ?? ''))).toBe('404 notFound')
    expect(await outcome(fetchFile(made[1]?.hash ?? ''))).toBe('404 notFound')
    expect(await shares(app.anna)).toEqual([])
  })
})

describe('the owner', () => {
  const annaId = async () =>
    (
      (await (await app.admin.call('GET', API.users)).json()) as {
        id: number
        username: string
      }[]
    ).find(({ username }) => username === 'anna')?.id
  const setAnna = async (which: string, value: object) =>
    outcome(
      app.admin.call('PUT', `${API.users}/${await annaId()}`, {
        what: 'user',
        which: [which],
        data: { [which]: value },
        current_password: app.server.password,
      }),
    )
  const everything = {
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  }

  test('the shares of an owner without rights do not open, and open again when the rights return', async () => {
    const { hash } = await share('/own.txt')
    expect(await setAnna('perm', { ...everything, share: false })).toBe('200')
    expect(await outcome(fetchFile(hash))).toBe('403 forbidden')
    expect(await setAnna('perm', everything)).toBe('200')
    expect(await outcome(fetchFile(hash))).toBe('200')
    app.anna = await signIn(app.url, 'anna', PASSWORD)
  })

  test('the shares of an owner keep to rules written from the owner’s root @spec-7.53', async () => {
    const { hash } = await share('/pub/')
    expect(
      await setAnna('rules', [{ regex: false, allow: false, path: '/pub/sub', regexp: null }]),
    ).toBe('200')
    expect(await outcome(fetchFile(hash, '/sub/deep.txt'))).toBe('403 forbidden')
    expect(await outcome(look(hash, '/sub/'))).toBe('403 forbidden')
    expect(await (await look(hash)).text()).not.toContain('sub')
    expect(await (await fetchFile(hash, '/in.txt')).text()).toBe('IN')
    expect(await setAnna('rules', [])).toBe('200')
    app.anna = await signIn(app.url, 'anna', PASSWORD)
  })

  test('an owner who gets another folder shares what was shared, or nothing, and never something else', async () => {
    mkdirSync(join(app.root, 'own.txt'), { recursive: true })
    const eve = await app.person('eve', '--scope', '/anna')
    const inside = await share('/pub/in.txt', {}, eve)
    const outside = await share('/own.txt', {}, eve)
    await app.runCommand('users', 'update', 'eve', '--scope', '/')
    expect(await (await fetchFile(inside.hash)).text()).toBe('IN')
    expect(await (await fetchFile(outside.hash)).text()).toBe('OWN')
    await app.runCommand('users', 'update', 'eve', '--scope', '/anna/pub')
    expect(await (await fetchFile(inside.hash)).text()).toBe('IN')
    expect(await outcome(look(outside.hash))).toBe('404 notFound')
    await app.runCommand('users', 'rm', 'eve')
    rmSync(join(app.root, 'own.txt'), { recursive: true })
  })

  test('the shares of an owner who is gone are gone too', async () => {
    const carl = await app.person('carl', '--scope', '/anna')
    const { hash } = await share('/own.txt', {}, carl)
    await app.runCommand('users', 'rm', 'carl')
    expect(await outcome(look(hash))).toBe('404 notFound')
  })
})

describe('what was shared', () => {
  test('a file that is renamed or moved, by any user, takes its links along @spec-11.11', async () => {
    const file = await share('/pub/in.txt')
    const folder = await share('/pub/')
    await app.admin.call(
      'PATCH',
      `${API.resources}/anna/pub?action=rename&destination=%252Fanna%252Fnew`,
    )
    expect(await (await fetchFile(file.hash)).text()).toBe('IN')
    expect(await (await fetchFile(folder.hash, '/in.txt')).text()).toBe('IN')
    expect((await shares(app.anna)).map(({ path }) => path).sort()).toEqual([
      '/new/',
      '/new/in.txt',
    ])
  })

  test('a deletion removes the shares of the file, and no shares of similar names @spec-11.12', async () => {
    writeFileSync(disk('a'), '')
    writeFileSync(disk('abc.txt'), 'abc')
    writeFileSync(join(app.root, 'bob', 'abc.txt'), 'abc')
    const mine = await share('/abc.txt')
    const theirs = await share('/abc.txt', {}, bob)
    const inside = await share('/pub/in.txt')
    await app.anna.call('DELETE', `${API.resources}/a`)
    expect(await outcome(look(mine.hash))).toBe('200')
    expect(await outcome(look(theirs.hash))).toBe('200')
    await app.admin.call('DELETE', `${API.resources}/anna/pub/`)
    mkdirSync(disk('pub'))
    writeFileSync(disk('pub', 'in.txt'), 'SOMETHING NEW')
    expect(await outcome(look(inside.hash))).toBe('404 notFound')
  })
})

test('the hash of no share is 404', async () => {
  for (const hash of ['x', '', '../../x', 'a'.repeat(5000)]) {
    expect(await outcome(look(hash))).toBe('404 notFound')
  }
})

describe('the page of a share', () => {
  const html = async (address: string, method = 'GET') =>
    (await app.anonymous.call(method, address)).text()
  const hasPicture = async (hash: string, below = '') =>
    (await html(`/share/${hash}${below}`)).includes('id="page-picture"')
  /** The page does not wait long for a picture that is not made yet. */
  const showsSoon = async (hash: string) => {
    while (!(await hasPicture(hash))) await Bun.sleep(5)
  }

  test('the page of a folder or picture contains a small picture, if everyone may open the share', async () => {
    for (const [name, background] of [
      ['10.jpg', 'red'],
      ['9.jpg', 'lime'],
      ['11.jpg', 'blue'],
    ] as const) {
      const picture = sharp({ create: { width: 900, height: 600, channels: 3, background } })
      writeFileSync(disk('pub', name), await picture.jpeg().toBuffer())
    }
    const folder = await share('/pub/')
    await showsSoon(folder.hash)
    const [, data = ''] =
      /src="data:image\/jpeg;base64,([^"]+)"/.exec(await html(`/share/${folder.hash}`)) ?? []
    const picture = sharp(Buffer.from(data, 'base64'))
    expect(await picture.metadata()).toMatchObject({ width: 320, height: 213 })
    // 9.jpg is the first by name.
    const { dominant } = await picture.stats()
    expect(dominant.g).toBeGreaterThan(200)

    const single = await share('/pub/9.jpg')
    await showsSoon(single.hash)
    expect(await html(`/share/${single.hash}`, 'HEAD')).toBe('')
    expect(await hasPicture(single.hash, '/9.jpg')).toBe(false)
    expect(await hasPicture('unknown')).toBe(false)
    const locked = await share('/pub/', { password: 'sesame' })
    expect(await hasPicture(locked.hash)).toBe(false)
    expect(await hasPicture((await share('/own.txt')).hash)).toBe(false)
    rmSync(disk('pub', '9.jpg'))
    expect(await hasPicture(folder.hash)).toBe(false)
    expect(await hasPicture(single.hash)).toBe(false)
  })
})
