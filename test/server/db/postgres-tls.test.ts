/** Connections to PostgreSQL with TLS: what each mode accepts and refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { poolOf } from '#server/db/postgres/connection.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'

describe.skipIf(postgresMissing() !== undefined)('a connection to PostgreSQL', () => {
  let postgres: TestPostgres
  let folder: ReturnType<typeof temporaryFolder>
  let url: string
  beforeAll(async () => {
    postgres = await startPostgres()
    url = await postgres.create()
    folder = temporaryFolder()
    makeCertificates(folder.path)
  })
  afterAll(async () => {
    await postgres.remove()
    folder.remove()
  })

  const at = (name: string) => join(folder.path, name)
  /** @returns whether the connection is encrypted, or the code and the message of the refusal */
  const connect = async (address: string): Promise<string> => {
    try {
      await (await openPostgres({ url: address, password: POSTGRES_PASSWORD })).close()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return `${error.code}: ${error.message}`
    }
    const pool = poolOf({ url: address, password: POSTGRES_PASSWORD }, 'filemgr')
    const [row] = await pool.unsafe('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    await pool.close()
    return row?.ssl ? 'encrypted' : 'open'
  }

  test('is encrypted, and verified, as its address says', async () => {
    expect(await connect(url)).toBe('open')
    expect(await connect(`${url}?sslmode=require`)).toMatch(/^forbidden: .* offers no TLS/)
    await turnOnTls(postgres, url, folder.path)
    const named = url.replace('127.0.0.1', 'localhost')
    const [authority, other] = [
      `&sslrootcert=${at('authority.pem')}`,
      `&sslrootcert=${at('other.pem')}`,
    ]
    const untrusted = /^forbidden: The certificate of the database .* is not trusted\./
    expect(await connect(url)).toBe('encrypted')
    expect(await connect(`${url}?sslmode=disable`)).toBe('open')
    expect(await connect(`${url}?sslmode=require`)).toBe('encrypted')
    expect(await connect(`${url}?sslmode=verify-full`)).toMatch(untrusted)
    expect(await connect(`${url}?sslmode=verify-full${authority}`)).toBe('encrypted')
    expect(await connect(`${url}?sslmode=verify-full${other}`)).toMatch(untrusted)
    expect(await connect(`${url}?sslmode=verify-ca${other}`)).toMatch(untrusted)
    expect(await connect(`${url}?sslmode=require${other}`)).toMatch(untrusted)
    // The certificate names only the number.
    expect(await connect(`${named}?sslmode=verify-full${authority}`)).toMatch(untrusted)
    expect(await connect(`${named}?sslmode=verify-ca${authority}`)).toBe('encrypted')
    expect(await connect(`${url}?sslmode=verify-full&sslrootcert=/nowhere`)).toBe(
      'badRequest: The file /nowhere of sslrootcert cannot be read.',
    )
  })
})

/** An authority, a certificate of it for 127.0.0.1, and another authority. */
function makeCertificates(folder: string): void {
  const openssl = (line: string) => {
    const { status, stderr } = spawnSync('openssl', line.split(' '), { cwd: folder })
    if (status !== 0) throw new Error(String(stderr))
  }
  for (const name of ['authority', 'other']) {
    openssl(
      `req -x509 -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.pem -days 2 -subj /CN=${name}`,
    )
  }
  openssl(
    'req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=server -addext subjectAltName=IP:127.0.0.1',
  )
  openssl(
    'x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -copy_extensions copy -out server.crt -days 2',
  )
}

async function turnOnTls(postgres: TestPostgres, url: string, folder: string): Promise<void> {
  const [setting] = await postgres.run(url, 'SHOW data_directory')
  const data = String(setting?.data_directory)
  const { uid, gid } = statSync(data)
  for (const name of ['server.key', 'server.crt']) {
    copyFileSync(join(folder, name), join(data, name))
    chownSync(join(data, name), uid, gid)
    chmodSync(join(data, name), 0o600)
  }
  await postgres.run(url, 'ALTER SYSTEM SET ssl = on')
  await postgres.run(url, 'SELECT pg_reload_conf()')
  for (;;) {
    const [row] = await postgres.run(url, 'SHOW ssl')
    if (row?.ssl === 'on') return
    await Bun.sleep(20)
  }
}
