import { expect, test } from 'bun:test'
import { SMALL_FILE_BYTES } from '#server/archives/write/file-contents.ts'
import { withLeftOutList } from '#server/archives/write/left-out-list.ts'
import type { LeftOutReason } from '#server/storage/node.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'

test('the list of many names is a small file that counts the rest @limit-103', async () => {
  const count = 2000
  const text = await listOf(
    Array.from({ length: count }, (_, at) => `/base/${at}-${'x'.repeat(80)}`),
  )
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SMALL_FILE_BYTES)
  const listed = text.split('\n').filter((line) => line.endsWith('x')).length
  expect(text).toStartWith(`${count} items are not in this archive`)
  expect(text).toEndWith(`\n${count - listed} more items are not listed here.\n`)
})

test('a name with a line break is one line of the list', async () => {
  const text = await listOf(['/base/a\nb', '/base/\u202egpj.exe'])
  expect(text.split('\n').slice(3)).toEqual(['a?b', '?gpj.exe', ''])
})

async function listOf(paths: string[]): Promise<string> {
  const base = parsePath('/base')
  const leftOut = new Map<TreePath, LeftOutReason>(
    paths.map((path) => [parsePath(path), 'unreadable']),
  )
  const [list] = await Array.fromAsync(withLeftOutList(nothing(), { base, roots: [] }, leftOut))
  return Buffer.from(list?.bytes ?? []).toString()
}

async function* nothing() {}
