/** Checks what belongs to the address of the database. */
import type { DatabaseAddress, ServerAddress } from '#server/config/database-address.ts'
import { type Finding, ok, warning } from './finding.ts'
import { privateFindings } from './private-files.ts'

/** Hosts whose connections do not leave the machine. */
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Without one of these, a machine in between can read and change what is sent. */
const VERIFIED = ['verify-ca', 'verify-full']

export function databaseFindings(address: DatabaseAddress): Finding[] {
  if (address.kind === 'file') return privateFindings('The database', address.path)
  return [
    ...address.passwordFiles.flatMap((file) =>
      privateFindings('The file with the password of the database', file),
    ),
    connectionFinding(address),
  ]
}

function connectionFinding({ url }: ServerAddress): Finding {
  const { hostname, searchParams } = new URL(url)
  if (searchParams.has('host') || LOCAL.test(hostname)) {
    return ok(`The database ${url} is on this machine.`)
  }
  if (VERIFIED.includes(searchParams.get('sslmode') ?? '')) {
    return ok(`The connection to the database ${url} is encrypted, and its certificate verified.`)
  }
  return warning(
    `The certificate of the database ${url} is not verified, so a machine in between can read the connection.`,
    'Add ?sslmode=verify-full to the address, and &sslrootcert=FILE if an authority of your own has signed it.',
  )
}
