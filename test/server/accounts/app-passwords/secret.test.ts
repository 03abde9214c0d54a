/** The text of app passwords: what is typed by hand is read, and mistakes are noticed. */
import { expect, test } from 'bun:test'
import { looksLikeSecret, newSecret, readSecret } from '#server/accounts/app-passwords/secret.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const symbolsOf = (secret: string) => secret.slice(3).replaceAll('-', '')

test('it has five groups of five symbols, and no two are the same', () => {
  const secrets = Array.from({ length: 200 }, newSecret)
  for (const secret of secrets) {
    expect(secret).toMatch(/^fm_(?:[0-9a-hjkmnp-tv-z]{5}-){4}[0-9a-hjkmnp-tv-z]{5}$/)
    expect(readSecret(secret)).toBe(secret)
    expect(looksLikeSecret(secret)).toBe(true)
  }
  expect(new Set(secrets).size).toBe(200)
})

test('case, dashes, spaces and letters that look like digits have no meaning', () => {
  const secret = newSecret()
  const typed = symbolsOf(secret).replaceAll('0', 'O').replaceAll('1', 'l')
  for (const text of [
    `FM_${typed.toUpperCase()}`,
    ` fm_${typed} `,
    `fm_${typed.replace(/(.{3})/g, '$1 ')}`,
  ]) {
    expect(readSecret(text)).toBe(secret)
  }
})

test('each wrong symbol is noticed, and a missing or additional one', () => {
  const symbols = symbolsOf(newSecret())
  for (const [index, right] of [...symbols].entries()) {
    for (const wrong of ALPHABET.replace(right, '')) {
      const text = `fm_${symbols.slice(0, index)}${wrong}${symbols.slice(index + 1)}`
      expect(readSecret(text), text).toBeUndefined()
    }
  }
  expect(readSecret(`fm_${symbols.slice(1)}`)).toBeUndefined()
  expect(readSecret(`fm_${symbols}0`)).toBeUndefined()
  expect(readSecret(`fm_${symbols.slice(1)}é`)).toBeUndefined()
})

test('other passwords are not taken for app passwords', () => {
  for (const text of ['', 'fm', 'password', 'a.b.c', 'xfm_abc'])
    expect(looksLikeSecret(text)).toBe(false)
})
