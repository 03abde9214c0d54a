/** What people put into the served folder never becomes code or settings of the server. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFilemgr } from '../support/executable.ts'
import { startServer } from '../support/server.ts'
import { type Installed, install } from './installed.ts'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** A folder whose every file tries to make the file `ran`, or to change how the server starts. */
function hostileFolder(name: string): string {
  const folder = installed.makeFolder(name)
  const script = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')`
  const files = {
    'evil.js': script,
    'index.js': script,
    'bunfig.toml': 'preload = ["./evil.js"]\n[test]\npreload = ["./evil.js"]\n',
    '.env': 'FILEMGR_PORT=1\nFILEMGR_USERNAME=mallory\nBUN_OPTIONS=--preload ./evil.js\n',
    '.env.production': 'FILEMGR_USERNAME=mallory\n',
    'package.json': '{"imports":{"#server/*":"./evil.js"},"main":"evil.js"}',
    'tsconfig.json': '{"compilerOptions":{"paths":{"*":["./evil.js"]}}}',
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  for (const planted of ['sharp', '@img/sharp-linux-x64', '@img/sharp-libvips-linux-x64']) {
    const location = installed.makeFolder(join(name, 'node_modules', planted))
    for (const file of ['index.js', 'versions.js', 'sharp.node.js']) {
      writeFileSync(join(location, file), script)
    }
  }
  return folder
}

test('a server in a hostile folder starts as everywhere else', async () => {
  const root = hostileFolder('served')
  const server = await startServer({ root, cwd: root, program: [installed.executable] })
  try {
    expect(server.output()).toContain('Administrator admin,')
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  } finally {
    expect(await server.stop()).toBe(0)
  }
})

test('the image library is the embedded one', async () => {
  const cwd = hostileFolder('images')
  const home = installed.makeFolder('images-home')
  const { code } = await runFilemgr(['self-check'], { home, cwd, program: [installed.executable] })
  expect(code).toBe(0)
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})

test('not even BUN_OPTIONS loads code from the disk', async () => {
  const cwd = hostileFolder('options')
  const home = installed.makeFolder('options-home')
  const env = { BUN_OPTIONS: '--preload ./evil.js' }
  await runFilemgr(['version'], { home, cwd, env, program: [installed.executable] })
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})
