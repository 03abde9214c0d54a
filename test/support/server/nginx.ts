/** A real nginx in front of a server, as administrators configure it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, listens } from './ports.ts'

export interface Nginx {
  /** `http://127.0.0.1:PORT` */
  url: string
  stop(): Promise<void>
}

/** @param location the content of `location / { … }` */
export async function startNginx(location: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-nginx-'))
  mkdirSync(join(folder, 'body'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
error_log stderr warn;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  client_max_body_size 0;
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 127.0.0.1:${port};
    location / { ${location} }
  }
}
`,
  )
  const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`
  const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;']
  const child = spawn('nginx', args, { env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (text) => {
    output += text
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`nginx ended: ${output}`)
  })
  ended.catch(() => undefined)
  await Promise.race([listens(port), ended])
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGQUIT')
      await ended.catch(() => undefined)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
