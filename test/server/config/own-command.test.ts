/** A printed command works in the terminal that it is copied to. */
import { expect, test } from 'bun:test'
import { ownCommand } from '#server/config/own-command.ts'

const usualDatabase = '/home/ann/.local/share/filemgr/filemgr.db'

test('a printed command names the database that it would not find', () => {
  const commandFor = (database: string, ...words: string[]) =>
    ownCommand({ paths: { ...PATHS, database: { kind: 'file', path: database } } }, words)
  expect(commandFor(usualDatabase, 'serve', '/srv/files')).toBe('filemgr serve /srv/files')
  expect(commandFor('/var/lib/f.db', 'config', 'init')).toBe(
    'filemgr config init --database /var/lib/f.db',
  )
  expect(commandFor("/srv/Ann's files/f.db", 'serve', '/srv/a b')).toBe(
    "filemgr serve '/srv/a b' --database '/srv/Ann'\\''s files/f.db'",
  )
})

const PATHS = { usualDatabase, cache: '', previews: '', configFiles: [] }
