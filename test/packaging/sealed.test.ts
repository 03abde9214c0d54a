/** Files in the working directory and the served folder are never run as code, and never change settings. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'
import { type Installed, install } from './installed.ts'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** Creates a folder whose files create the file `ran` if they are run, or change the start of a server that reads them. */
function hostileFolder(folderName: string): string {
  const folder = installed.makeFolder(folderName)
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
  for (const name of ['sharp', '@img/sharp-linux-x64', '@img/sharp-libvips-linux-x64']) {
    const location = installed.makeFolder(join(folderName, 'node_modules', name))
    for (const file of ['index.js', 'versions.js', 'sharp.node.js']) {
      writeFileSync(join(location, file), script)
    }
  }
  return folder
}

test('a server that starts in a hostile folder uses its default options, and runs no file of the folder', async () => {
  const root = hostileFolder('served')
  const server = await startServer({
    root,
    cwd: root,
    printsPassword: true,
    program: [installed.executable],
  })
  try {
    expect(server.output()).toContain('Administrator admin,')
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  } finally {
    expect(await server.stop()).toBe(0)
  }
})

test('the image library is loaded from the executable, not from node_modules in the working directory', async () => {
  const cwd = hostileFolder('images')
  const home = installed.makeFolder('images-home')
  const { code } = await runFilemgr(['self-check'], { home, cwd, program: [installed.executable] })
  expect(code).toBe(0)
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})

test('the variable BUN_OPTIONS loads no code from the disk', async () => {
  const cwd = hostileFolder('options')
  const home = installed.makeFolder('options-home')
  const env = { BUN_OPTIONS: '--preload ./evil.js' }
  await runFilemgr(['version'], { home, cwd, env, program: [installed.executable] })
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})
