/** The reverse proxies of docs/examples as real servers, with other addresses and without TLS. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { REPO_ROOT } from './executable.ts'
import { freePort, listens } from './ports.ts'

export type ProxyName = 'nginx' | 'caddy' | 'apache2'

export interface RunningProxy {
  /** `http://127.0.0.1:PORT`, which replaces the https://example.org of the example. */
  url: string
  stop(): Promise<void>
}

const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

export function hasProxy(name: string): boolean {
  return Bun.which(name, { PATH }) !== null
}

/** @param port of the server behind it */
export function startProxy(name: ProxyName, port: number): Promise<RunningProxy> {
  return runProxy(name, (folder, listen) => WRITERS[name](folder, { listen, port }))
}

/**
 * Runs a program that listens.
 *
 * @param write writes its configuration into a folder. Returns the file, and the arguments of the program
 */
export async function runProxy(
  name: string,
  write: (folder: string, listen: number) => Configured,
): Promise<RunningProxy> {
  const { path: folder, remove } = temporaryFolder('filemgr-proxy-')
  const listen = await freePort()
  const { file, args } = write(folder, listen)
  const child = spawn(name, args, {
    cwd: folder,
    env: { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} ended with ${file}: ${output}`)
  })
  ended.catch(() => undefined)
  await Promise.race([listens(listen), ended])
  return {
    url: `http://127.0.0.1:${listen}`,
    async stop() {
      child.kill('SIGTERM')
      await ended.catch(() => undefined)
      remove()
    },
  }
}

interface Configured {
  file: string
  args: string[]
}

interface Ports {
  listen: number
  port: number
}

type Writer = (folder: string, ports: Ports) => Configured

const WRITERS: Record<ProxyName, Writer> = {
  nginx(folder, ports) {
    mkdirSync(join(folder, 'body'))
    const example = exampleOf('nginx.conf', ports)
      .replace('listen 443 ssl', `listen 127.0.0.1:${ports.listen}`)
      .replaceAll(/^ *ssl_.*\n/gm, '')
    const text = `${process.getuid?.() === 0 ? 'user root;' : ''}
      pid ${folder}/pid; error_log stderr warn;
      events { worker_connections 64; }
      http {
        access_log off;
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        ${example}
      }`
    const file = write(folder, 'nginx.conf', text)
    return { file, args: ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'] }
  },
  caddy(folder, ports) {
    const example = exampleOf('Caddyfile', ports).replace(
      'example.org {',
      `http://127.0.0.1:${ports.listen} {`,
    )
    const file = write(folder, 'Caddyfile', `{\n\tadmin off\n}\n${example}`)
    return { file, args: ['run', '--config', file, '--adapter', 'caddyfile'] }
  },
  apache2(folder, ports) {
    const modules = '/usr/lib/apache2/modules'
    const names = ['mpm_event', 'authz_core', 'alias', 'headers', 'proxy', 'proxy_http']
    const loads = names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`)
    const example = exampleOf('apache.conf', ports)
      .replace('*:443', `127.0.0.1:${ports.listen}`)
      .replaceAll(/^ *SSL.*\n/gm, '')
    const text = `${loads.join('\n')}
      ServerRoot ${folder}
      ServerName localhost
      PidFile ${folder}/pid
      ErrorLog ${folder}/error.log
      Mutex file:${folder}
      Listen 127.0.0.1:${ports.listen}
      ${example}`
    const file = write(folder, 'apache.conf', text)
    return { file, args: ['-f', file, '-D', 'FOREGROUND'] }
  },
}

/**
 * An example with the port of the running server.
 *
 * @throws Error if the example has no server at port 8080
 */
function exampleOf(name: string, { port }: Ports): string {
  const text = readExample(name)
  if (!text.includes('127.0.0.1:8080')) throw new Error(`${name} does not contain 127.0.0.1:8080.`)
  return text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

/** @returns the text of a file of docs/examples */
export function readExample(name: string): string {
  return readFileSync(join(REPO_ROOT, 'docs/examples', name), 'utf8')
}

/** @returns the path of the new file */
export function write(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
