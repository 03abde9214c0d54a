import { afterEach, expect, test } from 'bun:test'
import '../browser.ts'
import { i18next } from '#ui/i18n/i18n.ts'
import { namedSubtitles } from '#ui/i18n/subtitle-names.ts'

const upperCase = String.prototype.toLocaleUpperCase

afterEach(async () => {
  String.prototype.toLocaleUpperCase = upperCase
  await i18next.changeLanguage('en')
})

test('in a Turkish browser, the name of a language begins with a capital of the interface’s language', async () => {
  String.prototype.toLocaleUpperCase = function (tag = 'tr') {
    return upperCase.call(this, tag)
  }
  await i18next.changeLanguage('fr')
  expect(namedSubtitles([{ language: 'is', name: 'film.is.srt' }])).toMatchObject([
    { label: 'Islandais' },
  ])
})
