/** Components show the texts of the language, also after it changes, and after more texts have arrived. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { useTranslation as UseTranslation } from '#ui/i18n/i18n.ts'
import { openReactPage, type ReactPage } from '../uploads/react-page.ts'

let page: ReactPage
beforeAll(async () => {
  page = await openReactPage()
})
afterAll(async () => {
  const { i18next } = await import('#ui/i18n/i18n.ts')
  await i18next.changeLanguage('en')
  await page.close()
})

test('a component shows the texts of the language, and follows its change', async () => {
  const { i18next, useTranslation } = await import('#ui/i18n/i18n.ts')
  i18next.addResourceBundle('de', 'translation', { common: { close: 'Schließen' } })
  function Label() {
    const { t, language } = useTranslation()
    return `${t('common.close')}, ${t('listing.more', { name: 'a' })}, ${language}`
  }
  const unmount = await page.mount(<Label />)
  const english = document.body.textContent ?? ''
  expect(english).toContain('Close, ')
  await page.act(async () => void (await i18next.changeLanguage('de')))
  expect(document.body.textContent).toBe(english.replace('Close', 'Schließen').replace(/en$/, 'de'))
  await page.act(async () => void (await i18next.changeLanguage('en')))
  expect(document.body.textContent).toBe(english)
  await page.act(async () => unmount())
})

test('a text that arrives later is shown, and another language has another function', async () => {
  const { i18next, useTranslation } = await import('#ui/i18n/i18n.ts')
  const { t } = await hookOf(useTranslation)
  // A key of a part of the messages that is not loaded.
  const late = 'late.text' as 'common.close'
  expect(t(late)).toBe('late.text')
  i18next.addResourceBundle('en', 'translation', { late: { text: 'Late' } }, true, true)
  expect(t(late)).toBe('Late')
  await i18next.changeLanguage('de')
  expect((await hookOf(useTranslation)).t).not.toBe(t)
})

/** What the hook returns now. */
async function hookOf(use: typeof UseTranslation): Promise<ReturnType<typeof UseTranslation>> {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof UseTranslation>>()
  function Probe() {
    resolve(use())
    return null
  }
  const unmount = await page.mount(<Probe />)
  await page.act(async () => unmount())
  return promise
}
