/** Starts a server for attacks, with its own folder. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inMountNamespace } from './mount.ts'

/** The server options of a class of attacks. */
export interface Setup {
  /** Additional arguments for `serve`. */
  args?: string[]
  /** The server's own files are in the served folder, in `state`. */
  stateInRoot?: boolean
  /** Another file system is mounted at `alice/mounted`. */
  mount?: boolean
  /** Without sign-in: every request acts as the administrator, and there are no other users. */
  noSignIn?: boolean
}

/** The folder for the server's own files with `stateInRoot`, relative to the served folder. */
export const STATE = 'state'
/** Where the file system of `mount` is mounted, relative to the served folder. */
export const MOUNT = 'alice/mounted'

/**
 * @param state the folder for the server's own files
 * @throws Error with the output of the server, if it does not start; the system error, if the program cannot be run
 */
export async function startServer(
  program: readonly string[],
  { home, root, state }: { home: string; root: string; state: string },
  { args: extraArgs = [], mount, noSignIn }: Setup,
) {
  const serve = ['serve', root, '--port', '0', '--database', join(state, 'attack.db')]
  const stateArgs = ['--cache-dir', join(state, 'cache'), '--log', join(state, 'filemgr.log')]
  const command = [
    ...program,
    ...serve,
    ...stateArgs,
    ...extraArgs,
    ...(noSignIn ? ['--noauth'] : []),
  ]
  const [executable = '', ...args] = mount ? inMountNamespace(join(root, MOUNT), command) : command
  const child = spawn(executable, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let output = ''
  const ready = new Promise<{ url: string; password: string }>((resolve, reject) => {
    const onOutput = (text: Buffer) => {
      output += text
      const url = /^(http:\S+)$/m.exec(output)?.[1]
      const password = noSignIn ? '' : /^Administrator \S+, password: (\S+)$/m.exec(output)?.[1]
      if (url && password !== undefined) resolve({ url, password })
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.on('error', reject)
    child.on('close', () => reject(new Error(`The server did not start: ${output}`)))
  })
  return {
    ...(await ready),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
