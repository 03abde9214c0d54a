/** Checks for sign-in methods that admit too many users. */
import type { Config } from '#server/config/config.ts'
import { admitsEveryAccount } from '#server/config/socket-warning.ts'
import { readAccounts } from '../system-accounts.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The first id of system accounts for people, as distributions number them (login.defs(5), UID_MIN). */
const FIRST_USER_ID = 1000
const NOBODY_UID = 65_534

const RISK =
  'Every account of this machine may sign in as another user by sending the header of the proxy.'
const ADVICE =
  'Listen on a socket that only the proxy may use: --socket FILE --socket-perm 0660 --trusted-proxies unix'

/**
 * Sign-in by proxy trusts a header from listed addresses. If the machine itself is listed, or its Unix socket is open to
 * all, every system account can set the header.
 *
 * @param accounts the text of `/etc/passwd`
 */
export function signInFindings(config: Config, accounts = readAccounts()): Finding[] {
  if (config.text('auth.method') !== 'proxy') return []
  if (config.text('socket') !== '') return admitsEveryAccount(config) ? [problem(RISK, ADVICE)] : []
  const proxies = config.args('trustedProxies')
  const trustsThisMachine =
    proxies.length === 0 || proxies.some((word) => /^(127\.|::1\b)/.test(word))
  if (!trustsThisMachine)
    return [ok('No account of this machine may name users in the header of the proxy.')]
  const otherUsers = countOtherUsers(accounts)
  return [otherUsers > 0 ? problem(RISK, ADVICE) : warning(RISK, ADVICE)]
}

/** The number of system accounts for people, without the server's own. */
function countOtherUsers(accounts: string): number {
  return accounts.split('\n').filter((line) => {
    const [, , id = '', , , , shell = ''] = line.split(':')
    const uid = Number(id)
    const isUser =
      id !== '' && uid >= FIRST_USER_ID && uid !== NOBODY_UID && uid !== process.getuid?.()
    return isUser && !/\/(nologin|false)$/.test(shell)
  }).length
}
