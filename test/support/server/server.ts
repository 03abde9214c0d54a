/** A filemgr server as a separate process, on a free port, with folders that are removed with it. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { cleanEnv, filemgr } from './executable.ts'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import { printedBy } from './printed.ts'
import { newDatabase } from './test-database.ts'

export interface ServerOptions {
  /** The served folder. The default is a new empty one, which is removed by `stop`. */
  root?: string
  /** More arguments for `filemgr serve`. */
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  /** A database that is kept after the server has stopped. The default is a new one for each server. */
  database?: string
  /** Whether the server generates the administrator's password and prints it. By default, it is `PASSWORD`. */
  printsPassword?: boolean
  /** The program to run instead of `filemgr()`. */
  program?: [string, ...string[]]
}

export interface TestServer {
  /** `http://127.0.0.1:PORT` by default, `https:` with TLS, `unix:PATH` with a socket; without a slash at the end. */
  url: string
  /** The folder on the disk that the user sees as the root. */
  root: string
  /** The id of the process. */
  pid: number
  /** The name of the user that the test signs in: the first administrator. */
  username: string
  /** The folder that this user sees as the root, as a path from the served folder. */
  scope: string
  /** The password of this user; empty if the database existed, or if the arguments contain a hash or no sign-in. */
  password: string
  /** The output so far, of both streams. */
  output(): string
  /**
   * Waits until the output matches.
   *
   * @returns the pattern's first group, or the whole match
   */
  says(pattern: RegExp): Promise<string>
  kill(signal: NodeJS.Signals): void
  /**
   * Stops the server, waits for its end, and removes its folders.
   *
   * @returns the exit code; 128 if it was killed
   */
  stop(): Promise<number>
}

/** @throws Error with its output if it ends before it listens */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const folder = temporaryFolder()
  const home = folder.path
  const root = options.root ?? join(home, 'root')
  if (!options.root) mkdirSync(root)
  const database = options.database ?? (await newDatabase(home))
  const extraArgs = options.args ?? []
  const isFirstStart =
    !existsSync(database) && !extraArgs.some((arg) => /^--password-hash$|noauth$/.test(arg))
  const hash = isFirstStart && !options.printsPassword ? ['--password-hash', PASSWORD_HASH] : []

  const [program, ...first] = options.program ?? filemgr()
  const args = ['serve', root, '--port', '0', '--database', database, ...hash, ...extraArgs]
  const child = spawn(program, [...first, ...args], {
    cwd: options.cwd ?? home,
    env: cleanEnv(home, options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = printedBy(child)
  const ended = new Promise<number>((done) => {
    child.on('close', (code) => done(code ?? 128))
  })

  try {
    const url = await printed.first(/^((?:https?:\/\/|unix:)\S+)\r?\n/m)
    const password = options.printsPassword
      ? await printed.first(/^Administrator \S+, password: (\S+)\r?\n/m)
      : PASSWORD
    return {
      url: url.replace(/\/$/, ''),
      root,
      username: 'admin',
      scope: '/',
      password: isFirstStart ? password : '',
      pid: child.pid ?? 0,
      output: printed.all,
      says: printed.first,
      kill: (signal) => child.kill(signal),
      async stop() {
        child.kill('SIGTERM')
        const code = await ended
        folder.remove()
        return code
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    folder.remove()
    throw error
  }
}
