/**
 * How the tests start filemgr: the executable in FILEMGR_BIN, or the sources with the pinned Bun. It imports only
 * Node's own modules, so that Playwright's runner can use it too.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

export const REPO_ROOT = resolve(import.meta.dirname, '../../..')

/** The program and its first arguments. */
export function filemgr(): [program: string, ...args: string[]] {
  const executable = process.env.FILEMGR_BIN
  return executable
    ? [resolve(REPO_ROOT, executable)]
    : [join(REPO_ROOT, 'node_modules/.bin/bun'), join(REPO_ROOT, 'cli/main.ts')]
}

/** Options that a whole run of tests may set. */
export const STORAGE_VARIABLE = 'FILEMGR_STORAGE'
export const DATABASE_PASSWORD_VARIABLE = 'FILEMGR_DATABASE_PASSWORD'

/** As `filemgr`, with that option, for callers that give the program an environment of their own. */
export function filemgrInRun(): string[] {
  const storage = process.env[STORAGE_VARIABLE]
  return storage ? ['/usr/bin/env', `${STORAGE_VARIABLE}=${storage}`, ...filemgr()] : filemgr()
}

/** An environment without the developer's settings: `home` replaces their folders. */
export function cleanEnv(home: string, extra: Record<string, string> = {}): Record<string, string> {
  const { PATH = '' } = process.env
  const forced = Object.fromEntries(
    [STORAGE_VARIABLE, DATABASE_PASSWORD_VARIABLE].flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )
  return { PATH, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', ...forced, ...extra }
}

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** Runs one command to its end. `program` defaults to `filemgr()`. */
export function runFilemgr(
  args: string[],
  options: {
    home: string
    cwd?: string
    env?: Record<string, string>
    input?: string
    program?: [string, ...string[]]
  },
): Promise<Finished> {
  const [program, ...first] = options.program ?? filemgr()
  const child = spawn(program, [...first, ...args], {
    cwd: options.cwd ?? options.home,
    env: cleanEnv(options.home, options.env),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.end(options.input ?? '')
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => done({ code: code ?? (signal ? 128 : 0), stdout, stderr }))
  })
}
