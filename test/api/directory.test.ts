/** Log-in with a directory: the slapd of Debian runs beside the server. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { DirectoryTest, LoginDirectory } from '#wire/api/directory.ts'
import type { LinkedIdentity } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { directoryMissing, GROUPS, PEOPLE, READER_PASSWORD } from '../support/identity/directory.ts'
import { type DirectoryApp, openDirectoryApp } from '../support/identity/directory-app.ts'
import { recordRequests } from '../support/identity/directory-requests.ts'
import { type Client, clientWith, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { changeDatabase } from '../support/server/stored.ts'

const SECRET = 'the password in the directory'
const WRONG = '403 wrongCredentials'
const down = (reason: string) => `503 unavailable; reason=${reason}`

describe.skipIf(directoryMissing() !== undefined)('with slapd', () => {
  let app: DirectoryApp
  let count = 0
  /** A person of each test. */
  let uid: string
  beforeAll(async () => {
    app = await openDirectoryApp()
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    count += 1
    uid = `person${count}`
    await app.directory.person(uid, SECRET)
    await app.setDirectory()
    changeDatabase(app, 'DELETE FROM failures')
  })

  const tokenOf = async (name = uid, password = SECRET) => signIn(app.url, name, password)
  const find = (body: object) =>
    app.admin.call('POST', `${API.identityDirectories}/office/test`, body)
  const tested = async (body: object) => (await (await find(body)).json()) as DirectoryTest
  const linkedOf = async (client: Client) =>
    (await (await client.call('GET', API.identityLinked)).json()) as LinkedIdentity[]
  const link = (client: Client, name = uid, password = SECRET, own = PASSWORD) =>
    client.call('POST', API.identityLinkedDirectories, {
      directory: 'office',
      username: name,
      password,
      current_password: own,
    })

  test('a person gets an account at the first log-in, and the same one afterwards', async () => {
    expect(await app.logIn(uid, SECRET)).toBe(uid)
    expect(await app.logIn(uid.toUpperCase(), SECRET)).toBe(uid)
    expect(await linkedOf(await tokenOf())).toMatchObject([
      { issuer: 'ldap:office', provider: 'Office', label: uid },
    ])
  })

  test('the password of this server comes first, and works without the directory', async () => {
    await app.directory.person('anna', SECRET)
    expect(await app.logIn('anna', PASSWORD)).toBe('anna')
    await app.directory.stop()
    expect(await app.logIn('anna', PASSWORD)).toBe('anna')
    await app.directory.start()
    await app.directory.removePerson('anna')
  })

  test('a failed log-in asks the directories the same, whether they have the name or not', async () => {
    const asked = await recordRequests(app.directory.url)
    await app.setDirectory({ address: asked.url, isPlain: true, ca: '' })
    const other = await recordRequests(app.directory.url)
    const second = {
      ...{ id: 'second', label: 'Second', bindPassword: READER_PASSWORD, isEnabled: true },
      options: { ...app.directory.options, address: other.url, isPlain: true, ca: '' },
    }
    const own = { current_password: app.server.password }
    const body = { ...own, directory: second }
    expect((await app.admin.call('POST', API.identityDirectories, body)).status).toBe(201)
    const requests = async (name: string) => {
      expect(await app.logIn(name, 'wrong')).toBe(WRONG)
      return [asked.take(), other.take()]
    }
    const known = await requests(uid)
    const twice = await app.directory.person(`${uid}s`, SECRET, { uid: [`${uid}s`, 'ambiguous'] })
    await app.directory.person(`${uid}t`, SECRET, { uid: [`${uid}t`, 'ambiguous'] })
    expect(twice).toContain(uid)
    expect(known).toEqual([
      ['bind', 'search', 'bind'],
      ['bind', 'search', 'bind'],
    ])
    for (const name of ['unknown', 'ambiguous', 'anna']) expect(await requests(name)).toEqual(known)
    // The password of one directory is not tried at the other.
    expect(await app.logIn(uid, SECRET)).toBe(uid)
    expect(other.take()).toEqual([])
    await app.admin.call('DELETE', `${API.identityDirectories}/second`, own)
    asked.stop()
    other.stop()
  })

  test('a wrong, an empty and an unknown name or password are refused in the same way', async () => {
    for (const [name, password] of [
      [uid, 'wrong'],
      [uid, ''],
      ['unknown', SECRET],
      ['', SECRET],
      [' ', SECRET],
    ] as const)
      expect(await app.logIn(name, password)).toBe(WRONG)
  })

  test('a name is text and never a part of the filter', async () => {
    for (const name of [
      '*',
      `${uid})(uid=*`,
      '*)(uid=*',
      `*)(|(uid=*`,
      `${uid.slice(0, -1)}*`,
      '\\2a',
    ])
      expect(await app.logIn(name, SECRET)).toBe(WRONG)
    await app.directory.person('o(dd)*', SECRET)
    expect((await tested({ username: 'o(dd)*' })).dn).toStartWith('uid=o')
  })

  test('several entries of one name are refused', async () => {
    await app.directory.person(`${uid}b`, SECRET, { mail: [`${uid}@example.org`] })
    await app.directory.person(`${uid}c`, SECRET, { mail: [`${uid}@example.org`] })
    await app.setDirectory({ filter: '(|(uid={username})(mail={username}))' })
    expect(await app.logIn(`${uid}@example.org`, SECRET)).toBe(WRONG)
    await app.directory.person(`${uid}d`, SECRET, { mail: [`${uid}@example.org`] })
    expect(await app.logIn(`${uid}@example.org`, SECRET)).toBe(WRONG)
    expect(await app.logIn(`${uid}b`, SECRET)).toBe(`${uid}b`)
    const answer = await find({ username: `${uid}@example.org` })
    expect(answer.headers.get('x-fault')).toBe('unprocessable; reason=entryAmbiguous')
  })

  test('an account of this server is not taken by its name, and is linked with both passwords', async () => {
    await app.person(uid)
    expect(await app.logIn(uid, SECRET)).toBe('403 forbidden; reason=identityNameTaken')
    const client = await tokenOf(uid, PASSWORD)
    expect(await outcome(link(client, uid, SECRET, 'wrong'))).toBe('400 badRequest')
    expect(await outcome(link(client, uid, 'wrong'))).toBe(WRONG)
    expect(await outcome(link(client, uid, ''))).toBe(WRONG)
    expect(await outcome(link(client))).toBe('200')
    expect(await app.logIn(uid, SECRET)).toBe(uid)
    expect(await app.logIn(uid, PASSWORD)).toBe(uid)
    expect(await outcome(link(await signIn(app.url, 'anna', PASSWORD)))).toBe('409 conflict')
    const [linked] = await linkedOf(client)
    const unlink = client.call('DELETE', `${API.identityLinked}/${linked?.id}`, {
      current_password: PASSWORD,
    })
    expect(await outcome(unlink)).toBe('200')
    expect(await app.logIn(uid, SECRET)).toBe('403 forbidden; reason=identityNameTaken')
  })

  test('a new entry with the name of a removed one is another person', async () => {
    await app.logIn(uid, SECRET)
    await app.directory.removePerson(uid)
    await app.directory.person(uid, 'another password')
    expect(await app.logIn(uid, 'another password')).toBe('403 forbidden; reason=identityNameTaken')
  })

  test('accounts are made for no one, for groups, or for all', async () => {
    await app.setDirectory({ newAccounts: 'off' })
    expect(await app.logIn(uid, SECRET)).toBe('403 forbidden; reason=identityUnknown')
    await app.setDirectory({ newAccounts: 'groups', accountGroups: ['Family'] })
    expect(await app.logIn(uid, SECRET)).toBe('403 forbidden; reason=identityUnknown')
    await app.directory.group('family', [uid])
    expect(await app.logIn(uid, SECRET)).toBe(uid)
  })

  test.each(['memberOf', 'a search'])(
    'groups by %s decide the log-in and the administrators',
    async (by) => {
      const groupFilter = by === 'memberOf' ? '' : '(member={dn})'
      const rules = { groupFilter, loginGroups: ['staff'], adminGroups: ['chiefs'] }
      await app.setDirectory(rules)
      await app.directory.group('staff', [])
      await app.directory.group('chiefs', [uid])
      expect(await app.logIn(uid, SECRET)).toBe('403 forbidden; reason=identityForbidden')
      await app.directory.group('staff', [uid])
      expect(await app.logIn(uid, SECRET)).toBe(`${uid}, administrator`)
      await app.directory.group('chiefs', [])
      expect(await app.logIn(uid, SECRET)).toBe(uid)
      await app.directory.group('staff', [])
      expect(await app.logIn(uid, SECRET)).toBe('403 forbidden; reason=identityForbidden')
    },
  )

  test('a group of the same name elsewhere gives nothing', async () => {
    await app.directory.group('chiefs', [])
    await app.directory.group('chiefs', [uid], `ou=projects,${GROUPS.slice(GROUPS.indexOf('dc='))}`)
    await app.setDirectory({ adminGroups: ['chiefs'] })
    expect(await app.logIn(uid, SECRET)).toBe(uid)
    await app.setDirectory({ adminGroups: ['chiefs'], groupFilter: '(member={dn})' })
    expect(await app.logIn(uid, SECRET)).toBe(uid)
  })

  test('groups that the directory does not show change nothing', async () => {
    await app.directory.group('chiefs', [uid])
    await app.setDirectory({ adminGroups: ['chiefs'] })
    expect(await app.logIn(uid, SECRET)).toBe(`${uid}, administrator`)
    const hidden = { groupBase: `ou=none,${GROUPS}`, groupFilter: '(member={dn})' }
    await app.setDirectory({ adminGroups: ['chiefs'], ...hidden })
    expect(await app.logIn(uid, SECRET)).toBe(`${uid}, administrator`)
    const result = await tested({ username: uid })
    expect(result.outcome).toMatchObject({ isAdmin: true, adminReason: 'absent' })
    expect(result.outcome.groups).toBeUndefined()
  })

  test('a directory is tested as it is typed; its stored password goes to no other server', async () => {
    const { options } = app.directory
    const sent = (directory: object, id = 'office') =>
      app.admin.call('POST', `${API.identityDirectories}/${id}/test`, { username: uid, directory })
    const typed = await sent({ options, bindPassword: READER_PASSWORD }, 'new')
    expect(await typed.json()).toMatchObject({ dn: `uid=${uid},${PEOPLE}` })
    const listed = await (await app.admin.call('GET', API.identityDirectories)).json()
    expect(listed.map(({ id }: LoginDirectory) => id)).toEqual(['office'])
    // The filter is not stored. The password is, for this server and this account.
    const none = { ...options, filter: '(&(uid={username})(sn=none))' }
    expect(await outcome(sent({ options: none }))).toBe('422 unprocessable')
    const missing = async (answer: Promise<Response>) => (await answer).headers.get('x-fault')
    const refused = 'badRequest; reason=directoryPassword; field=bindPassword'
    for (const other of [
      { address: app.directory.secureUrl },
      { bindDN: `cn=other,${PEOPLE}` },
      { isPlain: true },
      { ca: '' },
    ])
      expect(await missing(sent({ options: { ...options, ...other } }))).toBe(refused)
    expect(await missing(sent({ options }, 'new'))).toBe(refused)
  })

  test('a test shows the entry and the outcome, and changes nothing', async () => {
    const before = app.admin.token
    expect(await tested({ username: uid, password: SECRET })).toMatchObject({
      dn: `uid=${uid},${PEOPLE}`,
      isPasswordRight: true,
      attributes: { uid: [uid] },
      outcome: { username: uid, isNew: true, refusal: '' },
    })
    expect((await tested({ username: uid })).isPasswordRight).toBeUndefined()
    expect(await outcome(find({ username: 'unknown' }))).toBe('422 unprocessable')
    expect(await outcome(find({ username: uid, password: 'wrong' }))).toBe('200')
    expect((await app.admin.call('GET', API.users)).status).toBe(200)
    expect(app.admin.token).toBe(before)
    expect(JSON.stringify(await tested({ username: uid, password: SECRET }))).not.toContain(
      'assword in',
    )
  })

  test('a second factor is asked for, and the ticket of a switched-off directory ends', async () => {
    const client = await tokenOf()
    expect(await linkedOf(client)).toHaveLength(1)
    await app.runCommand('config', 'set', 'secondFactorFrom', '2020-01-01')
    await app.runCommand('config', 'set', 'secondFactorFor', 'all')
    await app.runCommand('config', 'set', 'secondFactorFrom', '2020-01-01')
    const answer = await app.anonymous.call('POST', API.login, { username: uid, password: SECRET })
    expect(answer.headers.get('x-fault')).toBe('unauthenticated; reason=factorDue')
    const { ticket } = (await answer.json()) as { ticket: string }
    const enrol = () => app.anonymous.call('POST', API.loginEnrol, { ticket })
    const enrolling = clientWith(app.url, await (await enrol()).text())
    const listed = await enrolling.call('GET', '/api/resources/')
    expect(listed.headers.get('x-fault')).toBe('forbidden; reason=factorDue')
    // The session of before has no second factor either.
    expect(await outcome(client.call('GET', '/api/resources/'))).toBe('403 forbidden')
    await app.runCommand('identity', 'disable', 'office')
    expect(await outcome(enrol())).toBe('404 expired')
    await app.runCommand('config', 'set', 'secondFactorFor', 'none')
  })

  test('the password in the directory confirms a change', async () => {
    const client = await tokenOf()
    const old = Date.now() - 6 * 60_000
    changeDatabase(app, `UPDATE sessions SET created_ms = ${old}`)
    const add = (current_password: string) =>
      client.call('POST', API.appPasswords, {
        current_password,
        name: 'phone',
        permissions: ['download'],
      })
    expect(await outcome(add(''))).toBe('400 badRequest')
    expect(await outcome(add('wrong'))).toBe('400 badRequest')
    expect((await add(SECRET)).status).toBeLessThan(300)
  })

  test('tries count as those of passwords of this server, in every spelling of the name', async () => {
    const variants = [uid, uid.toUpperCase(), ` ${uid}`, `${uid} `]
    for (let at = 0; at < 8; at += 1)
      expect(await app.logIn(variants[at % 4] ?? '', 'wrong')).toBe(WRONG)
    expect(await app.logIn(uid, SECRET)).toStartWith('429 ')
    expect(await app.logIn(uid.toUpperCase(), SECRET)).toStartWith('429 ')
  })

  test('tries count while the directory does not respond', async () => {
    await app.directory.stop()
    // An empty password is refused before the directory is asked.
    expect(await app.logIn(uid, '')).toBe(WRONG)
    for (let at = 0; at < 8; at += 1)
      expect(await app.logIn('anna', 'wrong')).toBe(down('directoryDown'))
    expect(await app.logIn('anna', 'wrong')).toStartWith('429 ')
    await app.directory.start()
  })

  test('a removed person is logged out at the next renewal; without a response nothing changes', async () => {
    const client = await tokenOf()
    const renew = () => outcome(client.call('POST', API.renew))
    expect(await renew()).toBe('200')
    await app.directory.removePerson(uid)
    // It was looked for less than a minute ago.
    expect(await renew()).toBe('200')
    const other = `${uid}x`
    await app.directory.person(other, SECRET)
    const otherClient = await tokenOf(other)
    await app.directory.stop()
    expect(await outcome(otherClient.call('POST', API.renew))).toBe('200')
    await app.directory.start()
    await app.directory.removePerson(other)
    expect(await outcome(otherClient.call('POST', API.renew))).toBe('401 unauthenticated')
    expect(await outcome(otherClient.call('GET', API.identityLinked))).toBe('401 unauthenticated')
  })

  test('a person who left the group is logged out at the next renewal', async () => {
    // Someone else stays in the group: without any group of anyone, the directory could be hiding them.
    const other = `${uid}x`
    await app.directory.person(other, SECRET)
    await app.directory.group('staff', [uid, other])
    await app.setDirectory({ loginGroups: ['staff'] })
    const client = await tokenOf()
    await app.directory.group('staff', [other])
    expect(await outcome(client.call('POST', API.renew))).toBe('401 unauthenticated')
  })

  test('a directory that is switched off lets no one in, and its sessions end', async () => {
    const client = await tokenOf()
    await app.setDirectory({}, { isEnabled: false })
    expect(await outcome(client.call('GET', API.identityLinked))).toBe('401 unauthenticated')
    expect(await app.logIn(uid, SECRET)).toBe(WRONG)
  })

  test('the connection is encrypted and the certificate is checked, or it is refused', async () => {
    await app.setDirectory({ address: app.directory.secureUrl })
    expect(await app.logIn(uid, SECRET)).toBe(uid)
    for (const address of [app.directory.url, app.directory.secureUrl]) {
      await app.setDirectory({ address, ca: '' })
      expect(await app.logIn(uid, SECRET)).toBe(down('directoryTls'))
      await app.setDirectory({ address: address.replace('localhost', '127.0.0.1') })
      expect(await app.logIn(uid, SECRET)).toBe(down('directoryTls'))
    }
    // TLS on the port without it.
    await app.setDirectory({ address: app.directory.url.replace('ldap:', 'ldaps:') })
    expect(await app.logIn(uid, SECRET)).toBe(down('directoryTls'))
    await app.setDirectory({ isPlain: true, ca: '' })
    expect(await app.logIn(uid, SECRET)).toBe(uid)
  })

  test('a wrong password of the server, and a base that does not exist, are named to administrators', async () => {
    await app.setDirectory({}, { bindPassword: 'wrong' })
    expect(await app.logIn(uid, SECRET)).toBe(down('directoryRefused'))
    expect(await outcome(find({ username: uid }))).toBe('503 unavailable')
    await app.setDirectory({ base: `ou=none,${PEOPLE}` })
    expect(await app.logIn(uid, SECRET)).toBe(down('directoryRefused'))
  })

  test('an entry that is too large is refused', async () => {
    await app.directory.person(`${uid}h`, SECRET, {
      description: Array.from({ length: 3 }, (_, at) => `${at}${'x'.repeat(600_000)}`),
    })
    await app.setDirectory({ nameAttribute: 'description' })
    expect(await app.logIn(`${uid}h`, SECRET)).toBe(down('directoryInvalid'))
  })

  test('invalid options are refused, and the password is never shown', async () => {
    const refusedWith = async (options: object, change?: object) =>
      (await app.setDirectory(options, change)).headers.get('x-fault') ?? ''
    const field = (reason: string, name: string) => `badRequest; reason=${reason}; field=${name}`
    expect(await refusedWith({ address: 'https://a' })).toBe(field('directoryAddress', 'address'))
    expect(await refusedWith({ address: 'ldap://a/b' })).toBe(field('directoryAddress', 'address'))
    expect(await refusedWith({ filter: '(uid=a' })).toBe(field('directoryFilter', 'filter'))
    expect(await refusedWith({ filter: '(uid=a)' })).toBe(field('directoryFilter', 'filter'))
    expect(await refusedWith({ filter: '(!(uid={username}))' })).toBe(
      field('directoryFilter', 'filter'),
    )
    expect(await refusedWith({ groupFilter: '(cn=a)' })).toBe(field('directoryFilter', 'filter'))
    expect(await refusedWith({ base: '' })).toBe(field('directoryName', 'base'))
    expect(await refusedWith({ base: 'nothing' })).toBe(field('directoryName', 'base'))
    expect(await refusedWith({ ca: 'nothing' })).toBe(field('directoryCertificate', 'ca'))
    expect(await refusedWith({}, { bindPassword: '' })).toBe(
      field('directoryPassword', 'bindPassword'),
    )
    expect(await refusedWith({ idAttribute: 'uid' })).toStartWith('badRequest')
    const text = await (await app.admin.call('GET', API.identityDirectories)).text()
    expect(text).not.toContain(READER_PASSWORD)
    expect(JSON.parse(text) as LoginDirectory[]).toMatchObject([
      { id: 'office', hasPassword: true },
    ])
  })

  test('only administrators see directories, and an id is that of one provider', async () => {
    for (const client of [app.anonymous, app.anna]) {
      const answer = await client.call('GET', API.identityDirectories)
      expect(answer.status).toBe(client === app.anna ? 403 : 401)
    }
    const own = await app.anna.call('GET', API.identityLinkedDirectories)
    expect(await own.json()).toEqual([{ id: 'office', label: 'Office' }])
    const taken = {
      current_password: app.server.password,
      provider: { id: 'office', label: 'x', issuer: 'https://a.example', clientID: 'c' },
    }
    expect(await outcome(app.admin.call('POST', API.identityProviders, taken))).toBe('409 conflict')
  })

  describe('beside a server that is no directory', () => {
    let other: Server
    let port: number
    let isListening: 'silent' | 'refusing' | 'injecting'
    const received: Buffer[] = []
    const sockets = new Set<Socket>()
    beforeAll(async () => {
      other = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => {
          received.push(Buffer.from(chunk))
          if (isListening === 'silent') return
          // The response to StartTLS: refused; or accepted, with a part of a later response behind it.
          const code = isListening === 'refusing' ? '02' : '00'
          const rest = isListening === 'refusing' ? '' : '300c02010161070a0100'
          socket.write(Buffer.from(`300c02017f78070a01${code}04000400${rest}`, 'hex'))
        })
      })
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const address = other.address()
      port = typeof address === 'object' ? (address?.port ?? 0) : 0
    })
    afterAll(() => void other.close())

    test('a refusal of StartTLS, and what comes before the encryption, end the log-in; no password is sent', async () => {
      for (const kind of ['refusing', 'injecting'] as const) {
        isListening = kind
        received.length = 0
        await app.setDirectory({ address: `ldap://127.0.0.1:${port}` })
        expect(await app.logIn(uid, SECRET)).toBe(down('directoryTls'))
        const sent = Buffer.concat(received).toString('latin1')
        expect(sent).not.toContain(SECRET)
        expect(sent).not.toContain(READER_PASSWORD)
      }
    })

    test('a silent server costs a limited time, and others log in in it', async () => {
      isListening = 'silent'
      await app.setDirectory({ address: `ldap://127.0.0.1:${port}` })
      const waiting = app.logIn(uid, SECRET)
      expect(await app.logIn('anna', PASSWORD)).toBe('anna')
      expect(await waiting).toBe(down('directorySlow'))
    })

    test('of more requests than wait for a directory, the last is refused at once @limit-105', async () => {
      isListening = 'silent'
      await app.setDirectory({ address: `ldap://127.0.0.1:${port}` })
      const { all, waiting } = CONCURRENCY_LIMITS.directories
      const { message } = CONCURRENCY_LIMITS.directories
      const textOf = async () => (await find({ username: uid })).text()
      const answers = Array.from({ length: all + waiting + 1 }, textOf)
      // The others wait: for the silent server, or for their turn.
      expect(await Promise.race(answers)).toContain(message)
      for (const socket of sockets) socket.destroy()
      other.close()
      const refused = (await Promise.all(answers)).filter((text) => text.includes(message))
      expect(refused).toHaveLength(1)
    })
  })

  test('a session of the directory is one of a client', async () => {
    const client = clientWith(app.url, (await tokenOf()).token)
    expect((await client.call('GET', '/api/resources/')).status).toBe(200)
  })
})
