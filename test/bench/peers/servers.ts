/** How each peer is prepared. Whatever is not installed is undefined, and skipped by its name. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { signIn } from '../../support/client.ts'
import { filemgr, runFilemgr } from '../../support/executable.ts'
import { freePort } from '../../support/ports.ts'
import { startServer } from '../../support/server.ts'
import { PATH, type Peer, type Served, TREE } from './peer.ts'

const PASSWORD = 'correct horse battery'
/** Asked of each name that is read or listed, and true of none. */
const RULES = [['/files/private'], ['--regex', '\\.secret$']]

/** With a person who has rights and is under rules. */
export async function ownServer({ path, scratch }: Served): Promise<Peer> {
  const home = homeIn(scratch, 'filemgr')
  const database = join(home, 'filemgr.db')
  const server = await startServer({ root: path, database })
  const verb = (...words: string[]) => runFilemgr([...words, '--database', database], { home })
  await verb('users', 'add', 'reader', PASSWORD)
  for (const rule of RULES) await verb('rules', 'add', ...rule)
  const { token } = await signIn(server.url, 'reader', PASSWORD)
  await server.stop()
  const port = String(await freePort())
  const words = ['serve', path, '--port', port, '--database', database]
  return {
    ...fileBrowserLike(`http://127.0.0.1:${port}`, token),
    name: 'filemgr',
    command: [...filemgr(), ...words],
    home,
  }
}

/** What answers as File Browser does. */
export function fileBrowserLike(url: string, token: string, below = ''): Peer {
  return {
    name: new URL(url).host,
    url,
    command: undefined,
    home: '',
    headers: { 'X-Auth': token },
    targets: {
      small: `${API.raw}${below}/${TREE.files}/`,
      large: `${API.raw}${below}/${TREE.large}`,
      list: `${API.resources}${below}/${TREE.files}/`,
      listLarge: `${API.resources}${below}/${TREE.many}/`,
      zip: `${API.raw}${below}/${TREE.files}/?algo=zip`,
      tar: `${API.raw}${below}/${TREE.files}/?algo=tar`,
      targz: `${API.raw}${below}/${TREE.files}/?algo=targz`,
    },
  }
}

/** The runtime alone. */
export async function bareServer({ path, scratch }: Served): Promise<Peer> {
  const port = await freePort()
  const script = join(import.meta.dirname, 'bare-server.ts')
  return {
    ...filesOnly('bare Bun', port),
    command: [process.execPath, script, path, String(port)],
    home: homeIn(scratch, 'bare'),
  }
}

export async function nginx({ path, scratch }: Served): Promise<Peer | undefined> {
  const program = Bun.which('nginx', { PATH })
  if (!program) return undefined
  const port = await freePort()
  const home = homeIn(scratch, 'nginx')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(home, 'nginx.conf'),
    `master_process off;
pid ${home}/pid;
error_log stderr warn;
events { worker_connections 64; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${path};
    autoindex on;
    autoindex_format json;
  }
}
`,
  )
  const options = ['-p', home, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;']
  return { ...filesOnly('nginx', port), command: [program, ...options], home }
}

export async function copyparty({ path, scratch }: Served): Promise<Peer | undefined> {
  const program = Bun.which('copyparty', { PATH })
  if (!program) return undefined
  const port = await freePort()
  const home = homeIn(scratch, 'copyparty')
  const where = ['-i', '127.0.0.1', '-p', String(port), '-v', `${path}::r`, '--hist', home]
  const peer = filesOnly('copyparty', port)
  const targets = {
    ...peer.targets,
    list: `/${TREE.files}/?ls`,
    listLarge: `/${TREE.many}/?ls`,
    zip: `/${TREE.files}/?zip`,
    tar: `/${TREE.files}/?tar`,
    targz: `/${TREE.files}/?tar=gz:6`,
  }
  return { ...peer, targets, command: [program, ...where, '-q'], home }
}

/** Of rclone, files only: its pages of folders are HTML for people. */
export async function rclone({ path, scratch }: Served): Promise<Peer | undefined> {
  const program = Bun.which('rclone', { PATH })
  if (!program) return undefined
  const port = await freePort()
  const home = homeIn(scratch, 'rclone')
  const where = ['--addr', `127.0.0.1:${port}`, '--config', join(home, 'rclone.conf')]
  const { targets, ...peer } = filesOnly('rclone', port)
  const { small, large } = targets
  const command = [program, 'serve', 'http', path, ...where, '--read-only']
  return { ...peer, targets: { small, large }, command, home }
}

/** One that serves files by their paths, and a list of a folder by the folder's. */
function filesOnly(name: string, port: number) {
  const url = `http://127.0.0.1:${port}`
  const targets = {
    small: `/${TREE.files}/`,
    large: `/${TREE.large}`,
    list: `/${TREE.files}/`,
    listLarge: `/${TREE.many}/`,
  }
  return { name, url, headers: {}, targets }
}

function homeIn(scratch: string, name: string): string {
  const home = join(scratch, name)
  mkdirSync(home)
  return home
}
