/** The messages of the settings and of the activity are loaded with the settings pages; whatever else uses them loads them too. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import messages from '#ui/i18n/messages/en.json'
import { FIRST_SETTINGS } from '#ui/lib/first-settings.ts'

const UI = join(import.meta.dirname, '../../../ui')
/** The settings pages, and the reasons of faults that only they show. */
const ON_SETTINGS_PAGES = /^(?:features\/settings|pages\/settings)\/|^i18n\/faults\.ts$/

test('a file that is loaded without a settings page imports the messages that it uses', () => {
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(UI)].filter(
    (file) => !file.startsWith('dist/') && !ON_SETTINGS_PAGES.test(file),
  )
  expect(files.length).toBeGreaterThan(300)
  const wrong = files.filter((file) => {
    const text = readFileSync(join(UI, file), 'utf8')
    const named = [...text.matchAll(/['"`]settings\.(\w+)/g)].map(([, group = '']) => group)
    const groups = named.filter((group) => group in messages.settings)
    const isLater =
      groups.some((group) => !FIRST_SETTINGS.includes(group)) || /['"`]activity\.\w+/.test(text)
    return isLater && !/^import '(?:#ui\/i18n|\.)\/settings-messages\.ts'$/m.test(text)
  })
  expect(wrong).toEqual([])
})
