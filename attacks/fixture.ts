/**
 * The environment of an attack: a server of its own with its own folder, users with different permissions, and files
 * whose content must not leak.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { Rule } from '#wire/api/user.ts'
import { PERMISSIONS } from '#wire/permissions.ts'
import { FIXTURE_FILES, FIXTURE_PASSWORD, FIXTURE_USERS } from './fixture-users.ts'
import { type RawResponse, type RequestHeaders, rawRequest } from './raw-request.ts'
import { MOUNT, type Setup, STATE, startServer } from './server.ts'

export interface Fixture extends AsyncDisposable {
  url: string
  /** The id of the server's process. */
  pid: number
  /** The served folder, and a folder beside it that must stay unreachable. */
  root: string
  outside: string
  database: string
  password: string
  /** User name → token. */
  tokens: Record<string, string>
  /** The number of requests that `call` and `raw` have sent. */
  readonly sent: number
  /** Empties both folders, except the server's own files, and creates the files and links again. */
  reset(): void
  /** The unique content of a file, by its path in the served folder; `outside/secret.txt` names the file outside. */
  mark(file: string): string
  /** The path on the disk of a file in the served folder. */
  disk(...names: string[]): string
  read(...names: string[]): string
  exists(...names: string[]): boolean
  /** The sorted names in a folder of the served tree, without the private folder; empty if there is no such folder. */
  names(...folder: string[]): string[]
  /** Sends a request as a user, by their name; the empty name sends no token. */
  call(
    who: string,
    method: string,
    target: string,
    body?: Body,
    headers?: RequestHeaders,
  ): Promise<RawResponse>
  /** As `call`, but the target is sent unchanged; `fetch` would normalise it. */
  raw(
    who: string,
    method: string,
    target: string,
    body?: string,
    headers?: RequestHeaders,
  ): Promise<RawResponse>
  signIn(username: string, password?: string): Promise<RawResponse>
  /** Changes settings as the administrator. */
  settings(change: Fields): Promise<RawResponse>
  /** Creates a user with FIXTURE_PASSWORD, as the administrator. */
  addUser(username: string, data: Fields): Promise<RawResponse>
}

/** An object is sent as JSON. */
export type Body = string | Uint8Array<ArrayBuffer> | Fields | undefined
export type Fields = { [field: string]: unknown }

/**
 * Starts a server with its own folder.
 *
 * @param program the executable with its first arguments
 * @throws Error if it does not start, or a user cannot be added
 */
export async function openFixture(program: readonly string[], setup: Setup = {}): Promise<Fixture> {
  await using opened = new AsyncDisposableStack()
  const home = mkdtempSync(join(tmpdir(), 'filemgr-attack-'))
  opened.defer(() => rmSync(home, { recursive: true, force: true }))
  const folders = makeFolders(home, setup)
  const server = await startServer(program, folders, setup)
  opened.defer(() => server.stop())
  const tokens: Record<string, string> = {}
  const files = filesIn(folders, server.pid, setup)
  const { call, raw, sent } = requestsTo(server.url, tokens)
  const fixture: Fixture = {
    url: server.url,
    pid: server.pid,
    root: folders.root,
    outside: folders.outside,
    database: join(folders.state, 'attack.db'),
    password: server.password,
    tokens,
    get sent() {
      return sent()
    },
    ...files,
    reset: () => resetFiles(folders, files, setup),
    call,
    raw,
    signIn: (username, password = FIXTURE_PASSWORD) =>
      call('', 'POST', API.login, { username, password }),
    settings: (change) => call('admin', 'PUT', API.settings, change),
    addUser: (username, data) =>
      call('admin', 'POST', API.users, {
        what: 'user',
        which: [],
        current_password: server.password,
        data: { username, password: FIXTURE_PASSWORD, ...data },
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
  fixture.reset()
  if (!setup.noSignIn) await addUsers(fixture)
  const running = opened.move()
  return fixture
}

/** The folders of a fixture on the disk. */
interface Folders {
  home: string
  root: string
  outside: string
  /** The folder of the database. */
  state: string
}

function makeFolders(home: string, setup: Setup): Folders {
  const [root, outside] = [join(home, 'root'), join(home, 'outside')]
  for (const folder of [root, outside]) mkdirSync(folder)
  const state = setup.stateInRoot ? join(root, STATE) : home
  mkdirSync(state, { recursive: true })
  if (setup.mount) mkdirSync(join(root, MOUNT), { recursive: true })
  return { home, root, outside, state }
}

type Files = Pick<Fixture, 'mark' | 'disk' | 'read' | 'exists' | 'names'>

function filesIn({ home, root }: Folders, pid: number, setup: Setup): Files {
  // The path as the server sees it, because its mounts are private.
  const disk = (...names: string[]) =>
    `${setup.mount ? `/proc/${pid}/root` : ''}${join(root, ...names)}`
  return {
    mark: (file) => `mark-${Bun.hash(home + file).toString(36)}`,
    disk,
    read: (...names) => readFileSync(disk(...names), 'utf8'),
    exists: (...names) => lstatSync(disk(...names), { throwIfNoEntry: false }) !== undefined,
    names: (...folder) =>
      existsSync(disk(...folder))
        ? readdirSync(disk(...folder))
            .filter((name) => name !== '.filemgr')
            .sort()
        : [],
  }
}

function requestsTo(
  url: string,
  tokens: Record<string, string>,
): Pick<Fixture, 'call' | 'raw'> & { sent(): number } {
  let sent = 0
  const headersOf = (who: string): RequestHeaders => (tokens[who] ? { 'X-Auth': tokens[who] } : {})
  return {
    sent: () => sent,
    async call(who, method, target, body, headers = {}) {
      sent += 1
      const bytes =
        typeof body === 'object' && !(body instanceof Uint8Array) ? JSON.stringify(body) : body
      const response = await fetch(url + target, {
        method,
        redirect: 'manual',
        headers: { ...headersOf(who), ...headers },
        ...(bytes === undefined ? {} : { body: bytes }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    async raw(who, method, target, body = '', headers = {}) {
      sent += 1
      return rawRequest(url, method, target, { ...headersOf(who), ...headers }, body)
    },
  }
}

function resetFiles({ outside }: Folders, { disk, mark }: Files, setup: Setup): void {
  const keptNames = ['.filemgr', ...(setup.stateInRoot ? [STATE] : [])]
  for (const name of readdirSync(disk())) {
    if (!keptNames.includes(name)) empty(disk(name), setup.mount ? disk(MOUNT) : undefined)
  }
  rmSync(outside, { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), mark('outside/secret.txt'))
  for (const file of FIXTURE_FILES) {
    mkdirSync(dirname(disk(file)), { recursive: true })
    writeFileSync(disk(file), mark(file))
  }
  symlinkSync(join(outside, 'secret.txt'), disk('alice/f'))
  symlinkSync(outside, disk('alice/d'))
  symlinkSync('../bob', disk('alice/rel'))
  symlinkSync(join(outside, 'new.txt'), disk('alice/dang'))
}

/** Removes a folder with its content, except a mount and the folders above it. */
function empty(path: string, mount: string | undefined): void {
  const holdsMount = mount !== undefined && `${mount}/`.startsWith(`${path}/`)
  if (!holdsMount) rmSync(path, { recursive: true, force: true })
  else for (const name of readdirSync(path)) empty(join(path, name), mount)
}

/** Adds the users of the fixture, and signs in all of them and the administrator. */
async function addUsers(fixture: Fixture): Promise<void> {
  const { tokens } = fixture
  const admin = await fixture.signIn('admin', fixture.password)
  tokens.admin = mustHave(200, admin, 'signing in as admin').text
  for (const [username, { scope, permissions, deniedPaths = [] }] of Object.entries(
    FIXTURE_USERS,
  )) {
    const perm = Object.fromEntries(PERMISSIONS.map((name) => [name, permissions.includes(name)]))
    const rules = deniedPaths.map(
      (path): Rule => ({ regex: false, allow: false, path, regexp: null }),
    )
    mustHave(201, await fixture.addUser(username, { scope, perm, rules }), `adding ${username}`)
    const signedIn = await fixture.signIn(username)
    tokens[username] = mustHave(200, signedIn, `signing in as ${username}`).text
  }
}

/** Returns the response. @throws Error if it has another status */
function mustHave(status: number, response: RawResponse, description: string): RawResponse {
  if (response.status === status) return response
  throw new Error(`${description} was answered with ${response.status}, not ${status}`)
}
