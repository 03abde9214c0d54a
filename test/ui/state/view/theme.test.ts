/** The theme applies to the page and to the browser window around it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPage } from '../../uploads/browser.ts'

let closePage: () => Promise<void>
beforeAll(() => {
  closePage = openPage('http://files.example.org')
})
afterAll(() => closePage())

test('the browser window has the theme that the user chose', async () => {
  const { chooseTheme } = await import('#ui/state/view/theme.ts')
  document.head.innerHTML = `
    <meta name="theme-color" content="white" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="black" media="(prefers-color-scheme: dark)">`
  const media = () =>
    [...document.querySelectorAll('meta')].map((element) => element.getAttribute('media'))
  chooseTheme('dark')
  expect(media()).toEqual(['not all', 'all'])
  chooseTheme('light')
  expect(media()).toEqual(['all', 'not all'])
  chooseTheme('system')
  expect(media()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
})
