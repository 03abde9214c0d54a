/** The conditions of a search in the language of the interface. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { i18next } from '#ui/i18n/i18n.ts'
import de from '#ui/i18n/messages/de.json' with { type: 'json' }
import { hasType, toggleType, toQuery } from '#ui/state/finder/query.ts'

describe('in English', () => {
  test.each([
    ['', 'image', 'type:image '],
    ['fjord', 'image', 'type:image fjord'],
    ['type:image fjord', 'pdf', 'type:pdf type:image fjord'],
    ['type:image fjord', 'image', 'fjord'],
    ['fjord type:image', 'image', 'fjord'],
    ['type:images fjord', 'image', 'fjord'],
    ['type:pictures fjord', 'image', 'fjord'],
    ['type:imagery', 'image', 'type:image type:imagery'],
  ] as const)('the text %p in which the type %s is toggled becomes %p', (text, type, toggled) => {
    expect(toggleType(text, type)).toBe(toggled)
    expect(hasType(toggled, type)).toBe(!hasType(text, type))
  })

  test('a text without conditions stays as it is', () => {
    for (const text of ['fjord 12:30', '"type"', 'a:b', 'https://a.b']) {
      expect(toQuery(text)).toBe(text)
    }
  })
})

describe('in German', () => {
  beforeAll(async () => {
    i18next.addResourceBundle('de', 'translation', de)
    await i18next.changeLanguage('de')
  })
  afterAll(() => i18next.changeLanguage('en'))

  test.each([
    ['typ:pdf vertrag', 'type:pdf vertrag'],
    ['Typ:Bilder in:fotos', 'type:image in:fotos'],
    ['nach:2024 vor:2024-05 größer:10MB', 'after:2024 before:2024-05 larger:10MB'],
    ['GROESSER:1 grösser:1MB', 'GROESSER:1 larger:1MB'],
    ['in:"Meine Briefe" typ：pdf', 'in:"Meine Briefe" type:pdf'],
    ['type:image larger:1MB', 'type:image larger:1MB'],
    ['vor Weihnachten', 'vor Weihnachten'],
  ])('%p means %p', (text, query) => {
    expect(toQuery(text)).toBe(query)
  })

  test('a chip types its condition in German, and removes it in either language', () => {
    expect(toggleType('fjord', 'image')).toBe('typ:bilder fjord')
    expect(hasType('typ:bilder fjord', 'image')).toBe(true)
    expect(toggleType('typ:bilder fjord', 'image')).toBe('fjord')
    expect(toggleType('type:image fjord', 'image')).toBe('fjord')
  })
})
