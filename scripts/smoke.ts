/** What must work in an executable before it is released: it is started and used as a person would. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

const PICTURE = { width: 400, height: 300, channels: 3, background: 'teal' } as const

/**
 * @param program the executable, after the emulator that it needs
 * @throws Error with the step that failed
 */
export async function smokeTest(program: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-smoke-'))
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }
  try {
    await endsWell([...program, 'self-check'], env)
    const args = ['serve', folder, '--port', '0', '--database', join(folder, 'f.db')]
    const server = Bun.spawn([...program, ...args], { env, stdout: 'pipe', stderr: 'inherit' })
    try {
      await use(await startOf(server.stdout))
    } finally {
      server.kill('SIGTERM')
    }
    expected('the server stops', await server.exited, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Signs in, uploads a picture, and has it listed, sent and drawn smaller. */
async function use({ url, password }: Start): Promise<void> {
  const body = JSON.stringify({ username: 'admin', password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body })
  expected('sign-in', login.status, 200)
  const headers = { 'X-Auth': await login.text() }
  const picture = await sharp({ create: PICTURE }).tiff().toBuffer()

  const upload = { method: 'POST', headers, body: new Uint8Array(picture) }
  expected('upload', (await fetch(`${url}/api/resources/a.tiff`, upload)).status, 200)
  const list = await (await fetch(`${url}/api/resources/`, { headers })).text()
  expected('listing', list.includes('"a.tiff"'), true)
  const raw = await (await fetch(`${url}/api/raw/a.tiff`, { headers })).bytes()
  expected('download', picture.equals(raw), true)
  // Only the image library draws a TIFF, not the runtime.
  expected('preview', (await fetch(`${url}/api/preview/thumb/a.tiff`, { headers })).status, 200)
}

interface Start {
  url: string
  password: string
}

/** Reads no further than it must, and leaves the stream open: a closed one would end the server. */
async function startOf(stdout: ReadableStream<Uint8Array>): Promise<Start> {
  const reader = stdout.getReader()
  const decoder = new TextDecoder()
  for (let printed = ''; ; ) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The server did not start: ${printed}`)
    printed += decoder.decode(value, { stream: true })
    const [, url, password] = /^(http\S+)\s.*password: (\S+)\s/s.exec(printed) ?? []
    if (url && password) return { url, password }
  }
}

async function endsWell(args: string[], env: Record<string, string | undefined>): Promise<void> {
  const child = Bun.spawn(args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  expected(args.at(-1) ?? '', await child.exited, 0)
}

function expected(step: string, actual: unknown, expectedValue: unknown): void {
  if (actual !== expectedValue) throw new Error(`${step}: ${actual} in place of ${expectedValue}`)
}
