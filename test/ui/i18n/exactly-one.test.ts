/** A text names the entry only if there is exactly one, also in languages without a plural form for exactly one. */
import { afterAll, expect, test } from 'bun:test'
import '../browser.ts'
import { i18next, t } from '#ui/i18n/i18n.ts'
import ja from '#ui/i18n/messages/ja.json'
import ru from '#ui/i18n/messages/ru.json'

for (const [code, messages] of Object.entries({ ja, ru })) {
  i18next.addResourceBundle(code, 'translation', messages, true, true)
}
afterAll(() => i18next.changeLanguage('en'))

test.each(['en', 'ja', 'ru'])(
  'in %s one entry is shown by name, and 21 by number @spec-9.4',
  async (code) => {
    await i18next.changeLanguage(code)
    const title = (count: number) => t('prompts.delete.title', { count, name: 'a.txt' })
    expect(title(1)).toContain('a.txt')
    for (const count of [2, 5, 21, 101]) {
      expect(title(count)).toContain(String(count))
      expect(title(count)).not.toContain('a.txt')
    }
  },
)

test('zero has its own plural form', async () => {
  await i18next.changeLanguage('ru')
  const outlook = (count: number) => t('prompts.undoAll.outlook', { count, value: count })
  expect(outlook(0)).toBe(ru.prompts.undoAll.outlook_zero)
  expect(outlook(5)).toContain('5')
})
