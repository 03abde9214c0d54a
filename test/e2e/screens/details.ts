/** Screens of the details of files: beside the listing, and as a dialog on a phone. */
import { expect } from 'playwright/test'
import { parsePath } from '#wire/paths.ts'
import type { AccessReasons } from '#wire/shapes/access.ts'
import { openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import { GALLERY } from './tree.ts'

/** What a user with a rule and without some permissions may do. */
const REASONS: AccessReasons = {
  username: 'admin',
  decisions: [
    { action: 'look', isAllowed: true, reasons: [{ by: 'rule', rule: 1 }] },
    { action: 'download', isAllowed: true, reasons: [{ by: 'permission' }] },
    { action: 'create', isAllowed: false, reasons: [{ by: 'permission', permission: 'create' }] },
    { action: 'overwrite', isAllowed: false, reasons: [{ by: 'rule', rule: 2 }] },
    { action: 'modify', isAllowed: false, reasons: [{ by: 'ceiling', permission: 'modify' }] },
    {
      action: 'delete',
      isAllowed: false,
      reasons: [{ by: 'folder', folder: parsePath('/Documents') }],
    },
    { action: 'rename', isAllowed: false, reasons: [{ by: 'hiddenDotfiles' }] },
    {
      action: 'share',
      isAllowed: false,
      reasons: [
        { by: 'permission', permission: 'share' },
        { by: 'ceiling', permission: 'download' },
        { by: 'rule', rule: 2 },
      ],
    },
  ],
  globalRules: 1,
  rules: [
    { regex: false, allow: true, path: '/Projects/Documentary', regexp: null },
    { regex: true, allow: false, path: '', regexp: { raw: '^/Projects/.*\\.jpg$' } },
  ],
}

export const DETAILS_SCREENS: readonly Screen[] = [
  {
    name: 'details-photo',
    only: 'wide',
    async go(stage) {
      await stage.files.open(GALLERY)
      await stage.files.select('aurora.jpg')
      await stage.files.action('Details').click()
      await expect(stage.files.details).toContainText('XF23mmF1.4')
      await expect(stage.files.details).toContainText('can change it')
    },
  },
  {
    name: 'details-permissions',
    only: 'wide',
    async go(stage) {
      await stage.page.route('**/api/access/**why=1**', (route) => route.fulfill({ json: REASONS }))
      await openProject(stage)
      await stage.files.select('alpenglow.jpg')
      await stage.files.action('Details').click()
      await stage.files.details.getByRole('button', { name: 'Explain permissions…' }).click()
      await expect(stage.files.prompt.card).toContainText('/Projects/Documentary')
    },
  },
  {
    name: 'details',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg')
      await stage.files.action('Details').click()
      await expect(stage.files.details).toContainText('alpenglow.jpg')
    },
  },
  {
    name: 'details-several',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg', 'fjord-dusk.jpg', 'midnight-sun.jpg')
      await stage.files.action('Details').click()
      await expect(stage.files.details).toContainText('3 items')
    },
  },
  {
    name: 'details-checksums',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('fjord-dusk.jpg')
      await stage.files.action('Details').click()
      await stage.files.details.getByRole('button', { name: 'Show checksums' }).click()
      await expect(stage.files.details.getByRole('button', { name: 'Copy SHA-256' })).toBeVisible()
    },
  },
  {
    name: 'info',
    only: 'narrow',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('fjord-dusk.jpg')
      await stage.files.selection.getByRole('button', { name: 'More' }).click()
      await stage.files.menuItem('Details').click()
      await expect(stage.files.prompt.card).toContainText('960 × 640')
    },
  },
  {
    name: 'info-permissions',
    only: 'narrow',
    async go(stage) {
      await stage.page.route('**/api/access/**why=1**', (route) => route.fulfill({ json: REASONS }))
      await openProject(stage)
      await stage.files.select('fjord-dusk.jpg')
      await stage.files.selection.getByRole('button', { name: 'More' }).click()
      await stage.files.menuItem('Details').click()
      await stage.files.prompt.card.getByRole('button', { name: 'Explain permissions…' }).click()
      await expect(stage.files.prompt.card).toContainText('/Projects/Documentary')
    },
  },
]
