/** Tests before a release that an executable starts, and serves the most important requests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

const PICTURE = { width: 400, height: 300, channels: 3, background: 'teal' } as const

/**
 * @param program the command line: the executable, after an emulator with its options if it needs one
 * @throws Error that names the step that failed
 */
export async function smokeTest(program: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-smoke-'))
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }
  try {
    await mustSucceed([...program, 'self-check'], env)
    const args = ['serve', folder, '--port', '0', '--database', join(folder, 'f.db')]
    const server = Bun.spawn([...program, ...args], { env, stdout: 'pipe', stderr: 'inherit' })
    try {
      await testRequests(await startOf(server.stdout))
    } finally {
      server.kill('SIGTERM')
    }
    mustEqual('the server stops', await server.exited, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Signs in, uploads a picture, and requests a listing, the picture and its thumbnail. */
async function testRequests({ url, password }: Start): Promise<void> {
  const body = JSON.stringify({ username: 'admin', password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body })
  mustEqual('sign-in', login.status, 200)
  const headers = { 'X-Auth': await login.text() }
  const picture = await sharp({ create: PICTURE }).tiff().toBuffer()

  const upload = { method: 'POST', headers, body: new Uint8Array(picture) }
  mustEqual('upload', (await fetch(`${url}/api/resources/a.tiff`, upload)).status, 200)
  const list = await (await fetch(`${url}/api/resources/`, { headers })).text()
  mustEqual('listing', list.includes('"a.tiff"'), true)
  const raw = await (await fetch(`${url}/api/raw/a.tiff`, { headers })).bytes()
  mustEqual('download', picture.equals(raw), true)
  // Only the image library (sharp) decodes TIFF; Bun does not.
  mustEqual('preview', (await fetch(`${url}/api/preview/thumb/a.tiff`, { headers })).status, 200)
}

/** What the server prints at its first start. */
interface Start {
  url: string
  password: string
}

/** Reads the output up to the password. The stream stays open, because the server ends if it is closed. */
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

async function mustSucceed(args: string[], env: Record<string, string | undefined>): Promise<void> {
  const child = Bun.spawn(args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  mustEqual(args.at(-1) ?? '', await child.exited, 0)
}

function mustEqual(step: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${step}: ${actual} instead of ${expected}`)
}
