/** Messages of faults that the server stored with a job, an undo or an item of the trash. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { storedFaultText } from '#ui/i18n/faults.ts'
import { i18next } from '#ui/i18n/i18n.ts'
import german from '#ui/i18n/messages/de.json'

beforeAll(async () => {
  i18next.addResourceBundle('de', 'translation', german)
  await i18next.changeLanguage('de')
})

afterAll(async () => {
  await i18next.changeLanguage('en')
  i18next.removeResourceBundle('de', 'translation')
})

describe('storedFaultText', () => {
  test('a stored fault has the message of its code in the language of the user', () => {
    expect(storedFaultText('noSpace', 'There is no space left.')).toBe(
      'Auf dem Server ist kein Speicherplatz mehr frei.',
    )
  })

  test('a stored reason has its own message, with its numbers', () => {
    expect(
      storedFaultText('conflict; reason=nameTwice', 'The list contains this name twice.'),
    ).toBe('Dieser Name kommt darin zweimal vor.')
    expect(storedFaultText('badRequest; reason=tooDeep; levels=64', '')).toContain('64')
  })

  test('a name in an archive that leads outside is refused in the language of the user', () => {
    expect(
      storedFaultText('badRequest; reason=nameOutside', 'The name leads outside the folder.'),
    ).toBe('Dieser Name führt aus dem Ordner hinaus.')
  })

  test('the message of an archive that is too large fits reading and extraction', () => {
    expect(storedFaultText('tooLarge; reason=archiveTooLarge', '')).toBe(
      'Das Archiv ist zu groß für diesen Server.',
    )
  })

  test('a stored fault without a reason, whose code says little, has the English sentence', () => {
    const message = 'More than 1000 entries failed.'
    expect(storedFaultText('tooLarge', message)).toBe(message)
  })

  test('a fault of an unknown code is an internal error', () => {
    expect(storedFaultText('', '')).toBe(german.fault.internal)
  })
})
