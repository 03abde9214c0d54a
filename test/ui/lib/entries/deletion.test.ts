import { expect, test } from 'bun:test'
import { deletionOf } from '#ui/lib/entries/deletion.ts'
import { parsePath, ROOT } from '#wire/paths.ts'

test('a deletion is permanent in the folders without a trash, and nowhere else', () => {
  const scratch = [parsePath('/scratch'), parsePath('/docs/raw')]
  expect(deletionOf(['/docs/a', '/scratches'], scratch)).toBe('kept')
  expect(deletionOf(['/scratch', '/docs/raw/b/c'], scratch)).toBe('permanent')
  expect(deletionOf(['/scratch/a', '/docs'], scratch)).toBe('partly')
  expect(deletionOf(['/docs'], [ROOT])).toBe('permanent')
  expect(deletionOf(['/docs'], [])).toBe('kept')
})
