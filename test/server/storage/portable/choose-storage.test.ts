import { expect, test } from 'bun:test'
import { folderOpenerOf, storageKindOf } from '#server/storage/portable/choose-storage.ts'
import { PathHandle } from '#server/storage/portable/path-handle.ts'

test('the local storage is chosen where the system has descriptors with paths, and a kind can be forced', () => {
  expect(storageKindOf('auto')).toBe('local')
  expect(storageKindOf('auto', false)).toBe('portable')
  expect(storageKindOf('portable', true)).toBe('portable')
  expect(storageKindOf('local', true)).toBe('local')
  expect(() => storageKindOf('local', false)).toThrow('--storage local needs Linux with /proc.')
})

test('the portable storage opens folders by paths', () => {
  using folder = folderOpenerOf('portable')('/')
  expect(folder).toBeInstanceOf(PathHandle)
  using local = folderOpenerOf('local')('/')
  expect(local).not.toBeInstanceOf(PathHandle)
})
