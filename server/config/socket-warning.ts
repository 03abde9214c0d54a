/** Sign-in by proxy at a Unix socket: who may connect to the socket may name any user in the header of the proxy. */

import { UNIX } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import type { Config } from './config.ts'

const WRITABLE_BY_OTHERS = 0o002

/** Whether every account of this machine may sign in as another user at the Unix socket. */
export function admitsEveryAccount(config: Config): boolean {
  return (
    config.text('auth.method') === 'proxy' &&
    config.text('socket') !== '' &&
    config.args('trustedProxies').includes(UNIX) &&
    (config.number('socketPerm') & WRITABLE_BY_OTHERS) !== 0
  )
}

/** @throws Fault badRequest */
export function refuseOpenSocket(config: Config): void {
  if (!admitsEveryAccount(config)) return
  throw new Fault(
    'badRequest',
    'With --auth.method proxy every account of this machine could sign in as another user: other accounts may write to the socket. Set --socket-perm 0660, and add the account of the proxy to the group of the socket.',
  )
}
