import { expect, test } from 'bun:test'
import '../browser.ts'
import {
  parseShareUrl,
  publicArchiveUrl,
  publicFileUrl,
  sharePageUrl,
} from '#ui/lib/urls/share-urls.ts'
import { parsePath, ROOT } from '#wire/paths.ts'

test.each([
  ['/8Kq2', '8Kq2', '/'],
  ['/8Kq2/', '8Kq2', '/'],
  ['/8Kq2/a%23b/c%2523', '8Kq2', '/a#b/c%23'],
  ['/8Kq2/%2e%2e/%2e%2e/x', '8Kq2', '/x'],
])('%s is a path of a share', (rest, hash, path) => {
  expect(parseShareUrl(rest)).toEqual({ hash, path: parsePath(path) })
})

test.each(['', '/', '//x', '/8Kq2/%zz'])('%p is no path of a share', (rest) => {
  expect(() => parseShareUrl(rest)).toThrow()
})

test.each(['/', '/a#b', '/100%/a%23b c/ü'])('the URL of %s is parsed back to it', (path) => {
  const url = sharePageUrl('8Kq2', parsePath(path), true)
  expect(url).toStartWith('/share/8Kq2')
  expect(parseShareUrl(url.slice('/share'.length)).path).toBe(parsePath(path))
})

test('content URLs contain the token of a password', () => {
  const locked = { hash: '8Kq2', token: 'a+b/c=' }
  expect(publicFileUrl({ hash: '8Kq2' }, ROOT)).toBe('/api/public/dl/8Kq2')
  expect(publicFileUrl(locked, parsePath('/a#b'), true)).toBe(
    '/api/public/dl/8Kq2/a%23b?inline=true&token=a%2Bb%2Fc%3D',
  )
})

test('an archive names its files so that the server reads them back', () => {
  const names = ['a,b.txt', '100%.txt', 'a%23b']
  const url = new URL(publicArchiveUrl({ hash: '8Kq2' }, parsePath('/in'), names), 'http://x')
  expect(url.pathname).toBe('/api/public/dl/8Kq2/in')
  expect(url.searchParams.get('files')?.split(',').map(decodeURIComponent)).toEqual(names)
  expect(url.searchParams.get('algo')).toBe('zip')
  expect(publicArchiveUrl({ hash: '8Kq2' }, ROOT, [])).toBe('/api/public/dl/8Kq2?algo=zip')
})
