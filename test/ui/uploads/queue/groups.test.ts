import { expect, test } from 'bun:test'
import { groupOf } from '#ui/uploads/queue/groups.ts'
import { parsePath, ROOT } from '#wire/paths.ts'

test.each([
  ['/a.txt', '/', undefined],
  ['/photos/a.txt', '/', '/photos'],
  ['/photos/deep/a.txt', '/', '/photos'],
  ['/in/a.txt', '/in', undefined],
  ['/in/photos/deep/a.txt', '/in', '/in/photos'],
])('%s, uploaded to %s, belongs to the group %p', (path, folder, group) => {
  expect(groupOf(parsePath(path), folder === '/' ? ROOT : parsePath(folder))).toBe(group as never)
})
