/**
 * The container, as the last stage of the Dockerfile describes it, without an image. Volumes, flags and databases of
 * File Browser's container continue to work in it. Also the examples of services and of Compose.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { signIn } from '../support/server/client.ts'
import { type Container, canMakeContainers, makeContainer } from '../support/server/container.ts'
import { filemgr, REPO_ROOT, runFilemgr } from '../support/server/executable.ts'
import { oldDatabase, oldUser, PASSWORD } from '../support/server/old-installation.ts'
import { freePort } from '../support/server/ports.ts'
import { printedBy } from '../support/server/printed.ts'

const [executable] = filemgr()
let container: Container
/** Stops the containers that a test has started. */
const stops: (() => Promise<unknown>)[] = []
/** The path on this machine of a path in the container. */
const inside = (path: string) => join(container.top, path)

describe.skipIf(!canMakeContainers() || !process.env.FILEMGR_BIN)('the container', () => {
  beforeEach(() => {
    container = makeContainer(executable)
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    container.remove()
  })

  /** Starts the container, and waits until the server listens. @returns its output and its URL */
  async function start(options: Parameters<Container['start']>[0] = {}) {
    const child = container.start(options)
    const closed = once(child, 'close')
    stops.push(async () => {
      child.kill('SIGTERM')
      await closed
    })
    const printed = printedBy(child)
    const port = await printed.first(/^http:\/\/\S+?:(\d+)/m)
    return { child, printed, url: `http://127.0.0.1:${port}` }
  }
  /** Writes a file into the container that belongs to the account 1000:1000. */
  function writeOwned(path: string, content: string | Buffer, mode = 0o640): void {
    mkdirSync(join(inside(path), '..'), { recursive: true })
    writeFileSync(inside(path), content, { mode })
    chownSync(inside(path), 1000, 1000)
  }

  test('the container serves /srv as 1000:1000, keeps its database in /database, and is healthy', async () => {
    const env = { FILEMGR_PORT: String(await freePort()) }
    writeOwned('/srv/a.txt', 'content of a')
    const { printed, url } = await start({ env })
    const password = await printed.first(/^Administrator admin, password: (\S+)/m)
    const admin = await signIn(url, 'admin', password)
    await admin.call('POST', '/api/resources/b.txt', 'b')
    expect(statSync(inside('/srv/b.txt'))).toMatchObject({ uid: 1000, gid: 1000 })
    expect(statSync(inside('/database/filemgr.db'))).toMatchObject({ uid: 1000, mode: 0o100600 })
    const health = container.exec(container.healthcheck, { env })
    expect((await once(health, 'close'))[0]).toBe(0)
    await stops.pop()?.()
    const unhealthy = container.exec(container.healthcheck, { env })
    expect((await once(unhealthy, 'close'))[0]).toBe(1)
  })

  test('the container imports the database of File Browser in /database once, and reads its settings in /config', async () => {
    const users = [oldUser(1, 'admin'), oldUser(2, 'bo')]
    writeOwned('/database/filebrowser.db', oldDatabase({ users }))
    const port = await freePort()
    const settings = { port, address: '', baseURL: '/old', log: 'stdout', root: '/srv' }
    const file = { ...settings, database: '/database/filebrowser.db' }
    writeOwned('/config/settings.json', JSON.stringify(file), 0o644)
    const { printed, url } = await start()
    expect(printed.all()).toContain('It was imported into /database/filemgr.db')
    await signIn(`${url}/old`, 'bo', PASSWORD)
    await stops.pop()?.()
    const again = await start()
    expect(again.printed.all()).not.toContain('was imported')
  })

  test('the container imports an old database without old settings', async () => {
    writeOwned('/database/filebrowser.db', oldDatabase({ users: [oldUser(1, 'admin')] }))
    const { url } = await start({ env: { FILEMGR_PORT: String(await freePort()) } })
    await signIn(url, 'admin', PASSWORD)
  })

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the container imports /database.db of older containers once, %s their settings',
    async (_, hasSettings) => {
      const users = [oldUser(1, 'admin'), oldUser(2, 'bo')]
      writeOwned('/database.db', oldDatabase({ users }))
      const port = await freePort()
      const settings = { port, baseURL: '', address: '', log: 'stdout', database: '/database.db' }
      if (hasSettings)
        writeOwned('/.filebrowser.json', JSON.stringify({ ...settings, root: '/srv' }), 0o644)
      const env: Record<string, string> = hasSettings ? {} : { FILEMGR_PORT: String(port) }
      const { printed, url } = await start({ env })
      expect(printed.all()).toContain('It was imported into /database/filemgr.db')
      const admin = await signIn(url, 'admin', PASSWORD)
      await admin.call('DELETE', '/api/users/2', JSON.stringify({ current_password: PASSWORD }))
      await stops.pop()?.()
      // No database beside /database.db: it would be lost with the container.
      expect(existsSync(inside('/filemgr.db'))).toBe(false)
      const again = await start({ env })
      expect(again.printed.all()).not.toContain('was imported')
      const left = await (await signIn(again.url, 'admin', PASSWORD)).call('GET', '/api/users')
      expect(await left.json()).toHaveLength(1)
    },
  )

  test('a command in a running container uses the database and the account of the server', async () => {
    const users = [oldUser(1, 'admin'), oldUser(2, 'bo')]
    writeOwned('/database/filebrowser.db', oldDatabase({ users }))
    const env = { FILEMGR_PORT: String(await freePort()), PUID: '1234' }
    await start({ env, user: '0:0' })
    for (const user of ['0:0', '1234:1000']) {
      const child = container.exec(['filemgr', 'users', 'ls', '--json'], { env, user })
      const printed = printedBy(child)
      await once(child, 'close')
      expect(JSON.parse(printed.all())).toMatchObject([{ username: 'admin' }, { username: 'bo' }])
    }
    expect(statSync(inside('/database/filemgr.db'))).toMatchObject({ uid: 1234, gid: 1000 })
  })

  test('the container accepts the flags of File Browser, and gives up root for the account of PUID and PGID', async () => {
    chmodSync(inside('/srv'), 0o777)
    const args = ['--port', String(await freePort()), '--disableExec']
    const env = { PUID: '1234', PGID: '1235' }
    // A folder that belongs to the account of an earlier start.
    mkdirSync(inside('/database/.cache/filemgr'), { recursive: true, mode: 0o700 })
    const { printed, url } = await start({ args, env, user: '0:0' })
    const admin = await signIn(
      url,
      'admin',
      await printed.first(/^Administrator admin, password: (\S+)/m),
    )
    await admin.call('POST', '/api/resources/b.txt', 'b')
    expect(statSync(inside('/srv/b.txt'))).toMatchObject({ uid: 1234, gid: 1235 })
    for (const name of ['filemgr.db', '.cache/filemgr']) {
      expect(statSync(inside(`/database/${name}`))).toMatchObject({ uid: 1234, gid: 1235 })
    }
  })
})

describe('the examples', () => {
  const example = (name: string) => readFileSync(join(REPO_ROOT, 'docs/examples', name), 'utf8')

  test('the compose file names the volumes and the port of File Browser’s container', () => {
    const { filemgr: service } = parse(example('compose.yaml')).services
    expect(service.volumes).toEqual(['./data:/srv', './config:/config', './database:/database'])
    expect(service.ports).toEqual(['8080:80'])
    expect(JSON.parse(example('container-settings.json'))).toMatchObject({ port: 80, root: '/srv' })
  })

  test('the compose file of several servers has the addresses of HAProxy’s example, one folder and one database', async () => {
    const { services, networks, volumes } = parse(example('compose.scale.yaml'), { merge: true })
    const balancer = example('haproxy.cfg')
    const addresses = [...balancer.matchAll(/^ *server (\w+) (\S+):8080$/gm)]
    expect(addresses).toHaveLength(3)
    const { stdout: manual } = await runFilemgr(['man'], { home: tmpdir() })
    for (const [, name = '', address] of addresses) {
      const { environment, ...service } = services[name]
      expect(service).toMatchObject({
        image: 'filemgr',
        volumes: ['files:/srv'],
        networks: { inside: { ipv4_address: address } },
        stop_grace_period: '40s',
      })
      expect(environment).toMatchObject({
        FILEMGR_PORT: 8080,
        FILEMGR_DATABASE: 'postgres://filemgr@database/filemgr',
        FILEMGR_TRUSTED_PROXIES: services.balancer.networks.inside.ipv4_address,
        FILEMGR_DRAIN: '10s',
      })
      for (const variable of Object.keys(environment)) expect(manual).toContain(variable)
    }
    expect(balancer).toContain(
      `--trusted-proxies ${services.balancer.networks.inside.ipv4_address}`,
    )
    expect(networks.inside.ipam.config).toEqual([{ subnet: '10.20.0.0/24' }])
    expect(Object.keys(volumes)).toEqual(['files', 'database'])
  })

  test('the systemd unit is hardened, except for what the jail and the runtime need', () => {
    const unit = example('filemgr.service').replaceAll(/^#.*$/gm, '')
    for (const option of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=\n',
    ]) {
      expect(unit).toContain(option)
    }
    expect(unit).not.toMatch(
      /RestrictNamespaces|RestrictSUIDSGID|MemoryDenyWriteExecute|@mount|PrivateUsers/,
    )
  })

  test('the services read the configuration file that commands read by default, and which names the database', () => {
    expect(parse(example('config.yaml'))).toMatchObject({
      root: '/srv/files',
      database: '/var/lib/filemgr/filemgr.db',
    })
    for (const name of ['filemgr.service', 'filemgr.openrc']) {
      expect(example(name)).toContain('serve --config /etc/filemgr/config.yaml')
      expect(example(name)).not.toContain('FILEMGR_DATABASE=')
    }
  })

  test('the property list of launchd serves a folder, and starts again after a failure', () => {
    const list = example('org.filemgr.plist')
    const words = /<array>(.*?)<\/array>/s.exec(list)?.[1] ?? ''
    expect([...words.matchAll(/<string>(.*?)<\/string>/g)].map(([, word]) => word)).toEqual([
      '/usr/local/bin/filemgr',
      'serve',
      '/Users/YOU/Files',
    ])
    expect(list).toMatch(/<key>KeepAlive<\/key>\s*<dict>\s*<key>SuccessfulExit<\/key>\s*<false\/>/)
    expect(list.match(/YOU/g)).toHaveLength(4)
    // A comment of XML has no two hyphens.
    expect(list).not.toMatch(/<!--(?:(?!-->).)*--(?!>)/s)
  })

  test('the scripts of OpenRC and of the container have valid shell syntax', () => {
    for (const path of ['docs/examples/filemgr.openrc', 'scripts/container-entrypoint.sh']) {
      const { exitCode, stderr } = Bun.spawnSync(['sh', '-n', join(REPO_ROOT, path)])
      expect([path, exitCode, stderr.toString()]).toEqual([path, 0, ''])
    }
    expect(existsSync(join(REPO_ROOT, 'Dockerfile'))).toBe(true)
  })
})
