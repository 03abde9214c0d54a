/** How each peer is prepared: a function returns undefined if its program is not installed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { signIn } from '../../support/server/client.ts'
import { filemgr, runFilemgr } from '../../support/server/executable.ts'
import { freePort } from '../../support/server/ports.ts'
import { startServer } from '../../support/server/server.ts'
import { PATH, type Peer, type Served, TREE } from './peer.ts'

const PASSWORD = 'correct horse battery'
/** Arguments of `rules add`. The rules are evaluated for each name that is read or listed, and match none. */
const RULES = [['/files/private'], ['--regex', '\\.secret$']]

/** filemgr with durability full; the requests come from a user with permissions and rules. */
export async function ownServer({ path, scratch }: Served): Promise<Peer> {
  return { ...(await filemgrFor(path, homeIn(scratch, 'filemgr'))), name: 'filemgr' }
}

/** filemgr with durability relaxed and an empty folder of its own, only for uploads. */
export async function relaxedServer({ scratch }: Served): Promise<Peer> {
  const home = homeIn(scratch, 'filemgr-relaxed')
  const root = homeIn(home, 'root')
  const server = await filemgrFor(root, home, ['--durability', 'relaxed'])
  const { upload = '', tus = '' } = server.targets
  return { ...server, name: 'filemgr, relaxed', targets: { upload, tus } }
}

async function filemgrFor(root: string, home: string, options: string[] = []): Promise<Peer> {
  const database = join(home, 'filemgr.db')
  const token = await createReader(root, database, home)
  const port = String(await freePort())
  const args = ['serve', root, '--port', port, '--database', database, ...options]
  return {
    ...fileBrowserLike(`http://127.0.0.1:${port}`, token, root),
    command: [...filemgr(), ...args],
    home,
  }
}

/** Creates the database, with a user and rules. @returns the token of the user's session */
async function createReader(root: string, database: string, home: string): Promise<string> {
  const server = await startServer({ root, database })
  const mustRun = async (...args: string[]) => {
    const { code, stderr } = await runFilemgr([...args, '--database', database], { home })
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  }
  try {
    await mustRun('users', 'add', 'reader', PASSWORD)
    for (const rule of RULES) await mustRun('rules', 'add', ...rule)
    return (await signIn(server.url, 'reader', PASSWORD)).token
  } finally {
    await server.stop()
  }
}

/** A running server with the API of File Browser. `below`: the path of `folder` in its tree. */
export function fileBrowserLike(url: string, token: string, folder: string, below = ''): Peer {
  return {
    name: new URL(url).host,
    url,
    command: undefined,
    home: '',
    headers: { 'X-Auth': token },
    targets: {
      small: `${API.raw}${below}/${TREE.files}/*`,
      large: `${API.raw}${below}/${TREE.large}`,
      list: `${API.resources}${below}/${TREE.files}/`,
      listLarge: `${API.resources}${below}/${TREE.many}/`,
      zip: `${API.raw}${below}/${TREE.files}/?algo=zip`,
      tar: `${API.raw}${below}/${TREE.files}/?algo=tar`,
      targz: `${API.raw}${below}/${TREE.files}/?algo=targz`,
      thumbnails: `${API.preview}/thumb${below}/${TREE.photos}/*`,
      upload: `${API.resources}${below}/*`,
      tus: `${API.tus}${below}/*`,
    },
    uploadMethod: 'POST',
    folder,
  }
}

/** The runtime without filemgr. */
export async function bareServer({ path, scratch }: Served): Promise<Peer> {
  const port = await freePort()
  const script = join(import.meta.dirname, 'bare-server.ts')
  return {
    ...pathServer('bare Bun', port, path),
    command: [process.execPath, script, path, String(port)],
    home: homeIn(scratch, 'bare'),
  }
}

/** The runtime with `@tus/server`, which filemgr does not use. */
export async function tusLibraryServer({ path, scratch }: Served): Promise<Peer> {
  const port = await freePort()
  const script = join(import.meta.dirname, 'tus-library-server.ts')
  return {
    ...pathServer('@tus/server', port, path),
    headers: { 'Tus-Resumable': '1.0.0' },
    targets: { tus: '/*' },
    command: [process.execPath, script, path, String(port)],
    home: homeIn(scratch, 'tus-library'),
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
    dav_methods PUT;
    client_max_body_size 0;
  }
}
`,
  )
  const options = ['-p', home, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;']
  return { ...pathServer('nginx', port, path), command: [program, ...options], home }
}

export async function copyparty({ path, scratch }: Served): Promise<Peer | undefined> {
  const program = Bun.which('copyparty', { PATH })
  if (!program) return undefined
  const port = await freePort()
  const home = homeIn(scratch, 'copyparty')
  const options = ['-i', '127.0.0.1', '-p', String(port), '-v', `${path}::rw`, '--hist', home]
  const peer = pathServer('copyparty', port, path)
  const targets = {
    ...peer.targets,
    list: `/${TREE.files}/?ls`,
    listLarge: `/${TREE.many}/?ls`,
    zip: `/${TREE.files}/?zip`,
    tar: `/${TREE.files}/?tar`,
    targz: `/${TREE.files}/?tar=gz:6`,
    thumbnails: `/${TREE.photos}/*?th=j`,
  }
  return { ...peer, targets, command: [program, ...options, '-q'], home }
}

/** Only for downloads of files: it lists folders as HTML, and notices new folders too late for uploads. */
export async function rclone({ path, scratch }: Served): Promise<Peer | undefined> {
  const program = Bun.which('rclone', { PATH })
  if (!program) return undefined
  const port = await freePort()
  const home = homeIn(scratch, 'rclone')
  const options = ['--addr', `127.0.0.1:${port}`, '--config', join(home, 'rclone.conf')]
  const { targets, ...peer } = pathServer('rclone', port, path)
  const { small, large } = targets
  const command = [program, 'serve', 'http', path, ...options, '--read-only']
  return { ...peer, targets: { small, large }, command, home }
}

/** A server whose URL paths are the paths of files and folders; the response for a folder is its listing. */
function pathServer(name: string, port: number, folder: string) {
  const url = `http://127.0.0.1:${port}`
  const targets = {
    small: `/${TREE.files}/*`,
    large: `/${TREE.large}`,
    list: `/${TREE.files}/`,
    listLarge: `/${TREE.many}/`,
    upload: '/*',
  }
  return { name, url, headers: {}, targets, uploadMethod: 'PUT' as const, folder }
}

/** Creates a working directory. @returns its path */
function homeIn(scratch: string, name: string): string {
  const home = join(scratch, name)
  mkdirSync(home)
  return home
}
