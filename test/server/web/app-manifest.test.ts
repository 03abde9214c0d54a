import { expect, test } from 'bun:test'
import { appManifest } from '#server/web/app-manifest.ts'
import { windowColors } from '#server/web/window-color.ts'
import type { PublicSettings } from '#wire/api/settings.ts'

// The settings that these functions read.
const SETTINGS = {
  Name: 'Fjord',
  Color: '',
  Theme: '',
  BaseURL: '/drive',
  StaticURL: '/drive/static',
} as PublicSettings

const sources = (own: string[]) =>
  appManifest(SETTINGS, (path) => own.includes(path)).icons.map(({ src }) => src)

test('every address of the manifest is below the base path', () => {
  const manifest = appManifest(SETTINGS, () => false)
  expect(manifest).toMatchObject({ id: '/drive/', start_url: '/drive/', scope: '/drive/' })
  expect(manifest.share_target.action).toBe('/drive/share-target')
  expect(manifest.icons.every(({ src }) => src.startsWith('/drive/static/img/'))).toBe(true)
})

test('the manifest of an installation with its own logo has no built-in icons', () => {
  expect(sources([])).toHaveLength(4)
  expect(sources(['/static/img/logo.svg'])).toEqual(['/drive/static/img/logo.svg'])
  expect(sources(['/static/img/logo.svg', '/static/img/icon-192.png'])).toEqual([
    '/drive/static/img/icon-192.png',
    '/drive/static/img/logo.svg',
  ])
})

test('the window has the configured colour, or else that of the theme', () => {
  const mediaOf = (Color: string, Theme: '' | 'dark') =>
    windowColors({ Color, Theme }).map(({ media }) => media)
  expect(windowColors({ Color: 'teal', Theme: '' })).toEqual([{ color: 'teal', media: '' }])
  expect(mediaOf('', 'dark')).toEqual(['not all', 'all'])
  expect(mediaOf('', '')).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
  expect(appManifest({ ...SETTINGS, Color: 'teal' }, () => false).theme_color).toBe('teal')
})
