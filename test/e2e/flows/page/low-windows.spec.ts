/** Dialogs in low windows: a phone held sideways, a keyboard on the screen, a large zoom. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

const WINDOWS = [
  { width: 844, height: 390 },
  { width: 390, height: 420 },
  { width: 720, height: 450 },
]

for (const viewport of WINDOWS) {
  test.describe(`a window of ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport })

    for (const [action, button] of [
      ['Copy to…', 'Copy here'],
      ['Move to…', 'Move here'],
      ['Share…', /Create/],
      ['Rename…', 'Rename'],
    ] as const) {
      test(`the dialog of ${action} shows its title and its buttons`, async ({ files, server }) => {
        for (const name of 'abcdefghij') mkdirSync(join(server.root, name))
        writeFileSync(join(server.root, 'file.txt'), 'x')
        await files.openRoot()
        await files.row('file.txt').scrollIntoViewIfNeeded()
        await files.choose('file.txt', action)
        const { card } = files.prompt
        await expect(card.getByRole('heading')).toBeInViewport({ ratio: 1 })
        await expect(files.prompt.button(button)).toBeInViewport({ ratio: 1 })
        await expect(files.prompt.button('Cancel')).toBeInViewport({ ratio: 1 })
        // The last field is above the buttons when it is scrolled to.
        const last = card.locator('input, select, [role="option"]').last()
        await last.scrollIntoViewIfNeeded()
        await last.click({ trial: true })
      })
    }
  })
}
