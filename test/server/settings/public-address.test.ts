import { expect, test } from 'bun:test'
import { parsePublicAddress } from '#server/settings/public-address.ts'

test.each([
  ['', ''],
  ['  ', ''],
  ['https://files.example.org', 'https://files.example.org'],
  ['https://Files.Example.org:443/', 'https://files.example.org'],
  [' https://files.example.org/files// ', 'https://files.example.org/files'],
  ['http://192.168.1.5:8080', 'http://192.168.1.5:8080'],
  ['http://[fd00::1]:8080/x', 'http://[fd00::1]:8080/x'],
  ['https://müller.example', 'https://xn--mller-kva.example'],
])('the public address %j is %j', (typed, address) => {
  expect(parsePublicAddress(typed)).toBe(address)
})

test.each([
  'files.example.org',
  'https:files.example.org',
  'https://',
  'ftp://files.example.org',
  'javascript://files.example.org',
  'https://ana:secret@files.example.org',
  'https://files.example.org/?a=b',
  'https://files.example.org/#top',
  `https://files.example.org/${'x'.repeat(2000)}`,
])('%j is no public address', (typed) => {
  expect(() => parsePublicAddress(typed)).toThrow(
    expect.objectContaining({ code: 'badRequest', reason: 'publicAddressInvalid' }),
  )
})
