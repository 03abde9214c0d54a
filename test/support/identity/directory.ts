/** A directory (OpenLDAP's slapd of Debian) below a temporary folder, with people, groups and certificates of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Attribute, Change, Client } from 'ldapts'
import { type DirectoryOptions, STANDARD_DIRECTORY } from '#wire/api/directory.ts'
import { temporaryFolder } from '../files/tree.ts'
import { freePort, listens } from '../server/ports.ts'

const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
const MODULES = '/usr/lib/ldap'
const SCHEMAS = ['core', 'cosine', 'inetorgperson'].map((name) => `/etc/ldap/schema/${name}.schema`)

export const SUFFIX = 'dc=example,dc=org'
export const PEOPLE = `ou=people,${SUFFIX}`
export const GROUPS = `ou=groups,${SUFFIX}`
const READER = `cn=reader,${SUFFIX}`
const ROOT = `cn=root,${SUFFIX}`
export const READER_PASSWORD = 'the password of the reader'
const ROOT_PASSWORD = 'the password of the root'

/** Why there is no directory for tests; undefined if there is one. */
export function directoryMissing(): string | undefined {
  return findSlapd() ? undefined : 'slapd is not installed'
}

function findSlapd(): string | undefined {
  return FOLDERS.map((folder) => join(folder, 'slapd')).find((path) => existsSync(path))
}

export interface TestDirectory {
  /** Of `localhost`, which the certificate names; `ldaps` for the other one. */
  url: string
  secureUrl: string
  /** The certificate of the authority, as PEM. */
  ca: string
  /** For the server under test: StartTLS, and groups by memberOf. */
  options: DirectoryOptions
  /** Adds a person with a password; `more` has other attributes. */
  person(uid: string, password: string, more?: Record<string, string[]>): Promise<string>
  removePerson(uid: string): Promise<void>
  /** Creates the group, or sets its members. */
  group(cn: string, members: readonly string[], base?: string): Promise<void>
  /** Ends the server; `start` starts it again with the same content. */
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

export async function startDirectory(): Promise<TestDirectory> {
  const folder = temporaryFolder()
  const [port, securePort] = [await freePort(), await freePort()]
  const file = (name: string) => join(folder.path, name)
  writeCertificates(folder.path)
  mkdirSync(file('data'))
  writeFileSync(file('slapd.conf'), configuration(folder.path))
  let server: ChildProcess | undefined
  const start = async () => {
    const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`
    // `-d 0` keeps it in the foreground.
    const args = ['-d', '0', '-f', file('slapd.conf'), '-h', urls]
    server = spawn(findSlapd() ?? 'slapd', args, { stdio: 'ignore' })
    await listens(port)
    await listens(securePort)
  }
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill()
    await ended
  }
  await start()
  const client = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const admin = new Client({ url: `ldap://127.0.0.1:${port}` })
    await admin.bind(ROOT, ROOT_PASSWORD)
    try {
      return await work(admin)
    } finally {
      await admin.unbind()
    }
  }
  await client(async (admin) => {
    await admin.add(SUFFIX, {
      objectClass: ['dcObject', 'organization'],
      dc: 'example',
      o: 'Example',
    })
    for (const ou of ['people', 'groups', 'projects'])
      await admin.add(`ou=${ou},${SUFFIX}`, { objectClass: 'organizationalUnit', ou })
    await admin.add(READER, {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'reader',
      userPassword: READER_PASSWORD,
    })
  })
  const dnOf = (uid: string) => `uid=${uid},${PEOPLE}`
  const ca = readFileSync(file('ca.pem'), 'utf8')
  return {
    url: `ldap://localhost:${port}`,
    secureUrl: `ldaps://localhost:${securePort}`,
    ca,
    options: {
      ...STANDARD_DIRECTORY,
      address: `ldap://localhost:${port}`,
      ca,
      bindDN: READER,
      base: PEOPLE,
      groupBase: GROUPS,
    },
    person: (uid, userPassword, more = {}) =>
      client(async (admin) => {
        const names = { uid, cn: uid, sn: uid, userPassword }
        await admin.add(dnOf(uid), { objectClass: 'inetOrgPerson', ...names, ...more })
        return dnOf(uid)
      }),
    removePerson: (uid) => client((admin) => admin.del(dnOf(uid))),
    group: (cn, members, base = GROUPS) =>
      client(async (admin) => {
        const dn = `cn=${cn},${base}`
        // A group of this class has a member at least.
        const member = [ROOT, ...members.map(dnOf)]
        await admin.add(dn, { objectClass: 'groupOfNames', cn, member }).catch(async () => {
          const modification = new Attribute({ type: 'member', values: member })
          await admin.modify(dn, new Change({ operation: 'replace', modification }))
        })
      }),
    stop,
    start,
    async remove() {
      await stop()
      folder.remove()
    },
  }
}

function configuration(folder: string): string {
  return [
    ...SCHEMAS.map((schema) => `include ${schema}`),
    `modulepath ${MODULES}`,
    'moduleload back_mdb',
    'moduleload memberof',
    `TLSCACertificateFile ${folder}/ca.pem`,
    `TLSCertificateFile ${folder}/server.pem`,
    `TLSCertificateKeyFile ${folder}/server.key`,
    'allow bind_anon_cred',
    'database mdb',
    `suffix "${SUFFIX}"`,
    `rootdn "${ROOT}"`,
    `rootpw "${ROOT_PASSWORD}"`,
    `directory ${folder}/data`,
    'maxsize 16777216',
    'overlay memberof',
    // The passwords, and the groups, are for the reader only.
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by * read',
    '',
  ].join('\n')
}

/** Writes `ca.pem`, an authority, and `server.pem` with `server.key`, a certificate of it for `localhost`. */
export function writeCertificates(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n')
  const run = (...words: string[]) => {
    const { status, stderr } = spawnSync('openssl', words, { cwd: folder })
    if (status !== 0) throw new Error(stderr.toString())
  }
  run(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test',
    '-days',
    '30',
  )
  run('req', ...key, '-keyout', 'server.key', '-out', 'server.req', '-subj', '/CN=localhost')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '30', '-extfile', 'names']
  run('x509', '-req', '-in', 'server.req', '-out', 'server.pem', ...signed)
}
