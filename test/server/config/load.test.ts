/** The sources of the values of options, and their precedence. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { baseUrl, loadConfig } from '#server/config/load.ts'
import { isFault } from '#wire/fault.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** Loads the options with the temporary folder as the home folder, so that files of this machine have no effect. */
function loaded(
  env: Record<string, string> = {},
  flags: Record<string, unknown> = {},
  file?: string,
) {
  return loadConfig({
    flags: { root: folder.path, ...flags },
    env: { HOME: folder.path, ...env },
    file,
  })
}

function written(name: string, text: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isFault(error, 'badRequest')) return error.message
    throw error
  }
  return 'is accepted'
}

test('a flag overrides the environment, the environment the file, and the file the database', () => {
  const file = written('config.yaml', 'port: 3\n')
  const stored = { port: 2 }
  const environment = { FB_PORT: '4', FILEMGR_PORT: '5' }
  const portOf = (config: ReturnType<typeof loaded>) => [
    config.number('port'),
    config.settings.get('port')?.origin as string,
  ]
  expect(portOf(loaded())).toEqual([8080, 'default'])
  expect(portOf(loaded().withStored(stored))).toEqual([2, 'database'])
  expect(portOf(loaded({}, {}, file).withStored(stored))).toEqual([3, 'file'])
  expect(portOf(loaded({ FB_PORT: '4' }, {}, file))).toEqual([4, 'environment'])
  expect(portOf(loaded(environment, {}, file))).toEqual([5, 'environment'])
  expect(portOf(loaded(environment, { port: '6' }, file).withStored(stored))).toEqual([6, 'flag'])
})

test.each([
  ['config.json', '{"auth": {"method": "proxy", "header": "X-User"}, "thumbnails": false}'],
  ['config.yaml', 'auth:\n  method: proxy\n  header: X-User\nthumbnails: false\n'],
  ['config.toml', 'thumbnails = false\n[auth]\nmethod = "proxy"\nheader = "X-User"\n'],
])('a file such as %s sets options, also nested ones', (name, text) => {
  const config = loaded({}, {}, written(name, text))
  expect(config.text('auth.method')).toBe('proxy')
  expect(config.text('auth.header')).toBe('X-User')
  expect(config.flag('thumbnails')).toBe(false)
})

test('the configuration file is found in the configuration folder, unless a variable names another', () => {
  expect(loaded().file).toBeUndefined()
  mkdirSync(join(folder.path, '.config/filemgr'), { recursive: true })
  const found = written('.config/filemgr/config.yaml', 'port: 6\n')
  expect([loaded().file, loaded().number('port')]).toEqual([found, 6])
  const named = written('elsewhere.yaml', 'port: 7\n')
  const config = loaded({ FILEMGR_CONFIG: named })
  expect([config.file, config.number('port')]).toEqual([named, 7])
})

test('the message about an invalid value names its source', () => {
  const file = written('config.yaml', 'address: 127.0.0.1\nport: many\n')
  expect(refusalOf(() => loaded({}, {}, file))).toStartWith(`${file}:2: port must be`)
  expect(refusalOf(() => loaded({ FILEMGR_PORT: 'many' }))).toStartWith(
    'FILEMGR_PORT: port must be',
  )
  expect(refusalOf(() => loaded({}, { port: 'many' }))).toStartWith('--port: port must be')
  const unknown = written('unknown.yaml', 'colour: blue\n')
  expect(refusalOf(() => loaded({}, {}, unknown))).toBe(`${unknown}:1: colour is not an option.`)
})

test('option names of File Browser set the present options', () => {
  const config = loaded({ FB_NOAUTH: 'true', FB_DISABLETHUMBNAILS: 'true', FB_SCOPE: '/home' })
  expect(config.text('auth.method')).toBe('noauth')
  expect(config.flag('thumbnails')).toBe(false)
  expect(config.text('defaults.scope')).toBe('/home')
  expect(loaded({ FB_SORTING_BY: '' }).text('defaults.sorting.by')).toBe('name')
})

test('an option without effect is reported, and one that would expose all files is refused', () => {
  expect(loaded({ FB_REDISCACHEURL: 'redis://cache' }).notices).toEqual([
    'FB_REDISCACHEURL does nothing here: unfinished uploads are kept in the database.',
  ])
  const follow = (value: string) => () => loaded({ FB_FOLLOWEXTERNALSYMLINKS: value })
  expect(refusalOf(follow('false'))).toBe('is accepted')
  expect(refusalOf(follow('true'))).toStartWith(
    'FB_FOLLOWEXTERNALSYMLINKS: links to targets outside',
  )
})

test('the server’s files are in the folders of the account, unless options say otherwise', () => {
  const { database, cache, previews } = loaded({ XDG_CACHE_HOME: '/caches' }).paths
  const fileAt = (path: string) => ({ kind: 'file', path }) as const
  expect(database).toEqual(fileAt(join(folder.path, '.local/share/filemgr/filemgr.db')))
  expect([cache, previews]).toEqual(['/caches/filemgr', '/caches/filemgr/previews'])
  const named = loaded({}, { database: '/data/f.db', cacheDir: '/previews' }).paths
  expect(named).toMatchObject({ database: fileAt('/data/f.db'), previews: '/previews' })
  const moved = loaded({ XDG_DATA_HOME: '/somewhere' }, { database: '' }).paths
  expect(moved.database).toEqual(fileAt('/somewhere/filemgr/filemgr.db'))
})

test('a base URL has no trailing slash, and must be a path', () => {
  const baseOf = (text: string) => baseUrl(loaded({}, { baseURL: text }))
  expect(['', '/', '/files/', '/a/b'].map(baseOf)).toEqual(['', '', '/files', '/a/b'])
  expect(refusalOf(() => baseOf('files'))).toContain('baseURL must be a path')
  expect(refusalOf(() => baseOf('/a?b'))).toContain('baseURL must be a path')
})
