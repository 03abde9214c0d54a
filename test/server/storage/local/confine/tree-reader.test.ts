/** Folders of the tree, read by their real paths. */
import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { TreeReader } from '#server/storage/local/confine/tree-reader.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { parsePath } from '#wire/paths.ts'
import { serveForEach } from '../../../../support/storage/served.ts'

const served = serveForEach({
  fill: () => {
    mkdirSync(served.disk('a/b'), { recursive: true })
    writeFileSync(served.disk('a/b/file'), '12345')
    symlinkSync('b', served.disk('a/link'))
    symlinkSync('a', served.disk('top'))
  },
})

test('a folder is not read through a link, neither at the end of its path nor before', () => {
  const root = openFolder(served.path)
  using reader = new TreeReader(root, { files: [], folders: [] })
  const failure = (path: string) => {
    try {
      reader.read(parsePath(path))
      return 'read'
    } catch (error) {
      return String(error)
    }
  }
  expect(reader.read(parsePath('/a/b'))).toMatchObject({
    names: ['file'],
    kinds: ['other'],
    sizes: [5],
  })
  expect(failure('/a/link')).toContain('ELOOP')
  expect(failure('/top/b')).toContain('ELOOP')
  expect(failure('/a/b/file')).toContain('ENOTDIR')
  expect(failure('/nothing')).toContain('ENOENT')
  root.close()
})
