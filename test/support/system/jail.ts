/** Runs a program in a jail, without a server: the `jail` command with a policy of the test. */
import { chownSync, closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Isolation,
  ONE_THREAD,
  POLICY_VARIABLE,
  type Policy,
} from '#server/shell/isolation/policy.ts'
import { filemgr } from '../server/executable.ts'

export interface JailOptions extends Partial<Policy> {
  /** Runs as this user and group instead of the test's own. */
  user?: number
}

export interface Jailed {
  out: string
  err: string
  code: number
  signal: string | undefined
}

/** An unprivileged user. */
export const ORDINARY_USER = 65_534

/** Creates the folders that `jailed` requires in an empty one: `top/sub`, `tmp`, `new`. */
export function makeJailFolders(home: string, owner?: number): void {
  for (const name of ['', 'top', 'top/sub', 'tmp', 'new']) {
    const path = join(home, name)
    mkdirSync(path, { recursive: true })
    if (owner !== undefined) chownSync(path, owner, owner)
  }
}

/** Starts a shell script in a jail. Its working folder is `top/sub` of `home`. */
export function startJailed(
  home: string,
  isolation: Isolation,
  script: string,
  options: JailOptions = {},
) {
  const { user, ...change } = options
  const top = join(home, 'top')
  const policy: Policy = {
    isolation,
    parent: process.pid,
    argv: ['sh', '-c', script],
    env: { PATH: '/usr/bin:/bin' },
    rootFolder: top,
    folder: '/sub',
    hidden: [],
    silent: [],
    temporary: join(home, 'tmp'),
    newRoot: join(home, 'new'),
    terminal: false,
    network: false,
    limits: { cpuSec: 10, memoryBytes: 2 ** 29, processes: 64, fileBytes: 0 },
    ...change,
  }
  const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
  const fd = openSync(top, constants.O_RDONLY)
  try {
    return Bun.spawn([...(user === undefined ? [] : as), ...filemgr(), 'jail'], {
      cwd: '/',
      env: { ...ONE_THREAD, PATH: process.env.PATH, [POLICY_VARIABLE]: JSON.stringify(policy) },
      stdio: ['ignore', 'pipe', 'pipe', fd],
      detached: true,
    })
  } finally {
    closeSync(fd)
  }
}

/** Like `startJailed`, and waits for its end. */
export async function jailed(
  home: string,
  isolation: Isolation,
  script: string,
  options: JailOptions = {},
): Promise<Jailed> {
  const child = startJailed(home, isolation, script, options)
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const code = await child.exited
  return { out, err, code, signal: child.signalCode?.toString() }
}
