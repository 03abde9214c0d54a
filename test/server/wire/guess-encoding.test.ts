import { expect, test } from 'bun:test'
import { guessEncoding } from '#wire/guess-encoding.ts'

const hex = (digits: string) => new Uint8Array(Buffer.from(digits, 'hex'))

/** Sentences in the encodings of old programs, by iconv. */
const TEXTS: [encoding: string, bytes: string][] = [
  [
    'shift_jis',
    '93fa967b8cea82cc8365834c8358836782c582b7814282b182ea82cd8cc382a2837483408343838b82c5814195b68e9a8352815b836882f08a6d944682b582c482ad82be82b382a28142',
  ],
  [
    'euc-jp',
    'c6fccbdcb8eca4cea5c6a5ada5b9a5c8a4c7a4b9a1a3a4b3a4eca4cfb8c5a4a4a5d5a5a1a5a4a5eba4c7a1a2cab8bbfaa5b3a1bca5c9a4f2b3cec7a7a4b7a4c6a4afa4c0a4b5a4a4a1a3',
  ],
  [
    'gb18030',
    'd5e2cac7d2bbb8f6d6d0cec4cec4b1becec4bcfea3acc7ebbcecb2e9b1e0c2ebcac7b7f1d5fdc8b7a1a3ced2c3c7b5c4bbe1d2e9d4dac3f7ccecc9cfcee7bfaacabca1a3',
  ],
  [
    'big5',
    'b36fac4fa440add3a4a4a4e5a4e5a672c0c9aed7a141bdd0c0cbac64bd73bd58ac4fa75fa5bfbd54a143a7daadccaabab77cc4b3a662a9faa4d1a457a4c8b67da96ca143',
  ],
  [
    'euc-kr',
    'c0ccb0cdc0ba20c7d1b1b9beee20c5d8bdbac6ae20c6c4c0cfc0d4b4cfb4d92e20c0cec4dab5f9c0bb20c8aec0cec7cfbdcabdc3bfc02e',
  ],
  [
    'windows-1251',
    'ddf2ee20f0f3f1f1eae8e920f2e5eaf1f220e220f1f2e0f0eee920eaeee4e8f0eee2eae52e20cfeee6e0ebf3e9f1f2e02c20eff0eee2e5f0fcf2e520e5b82e',
  ],
  [
    'koi8-u',
    'fcd4cf20d2d5d3d3cbc9ca20d4c5cbd3d420d720d3d4c1d2cfca20cbcfc4c9d2cfd7cbc52e20f0cfd6c1ccd5cad3d4c12c20d0d2cfd7c5d2d8d4c520c5a32e',
  ],
  [
    'ibm866',
    '9de2ae20e0e3e1e1aaa8a920e2a5aae1e220a220e1e2a0e0aea920aaaea4a8e0aea2aaa52e208faea6a0abe3a9e1e2a02c20afe0aea2a5e0ece2a520a5f12e',
  ],
  [
    'windows-1253',
    'c1f5f4fc20e5dfede1e920ddede120e5ebebe7ede9eafc20eae5dfece5edef20f3e520f0e1ebe9dc20eaf9e4e9eaeff0efdfe7f3e72e',
  ],
  ['windows-1255', 'e6e4e520e8f7f1e820e1f2e1f8e9fa20e1f7e9e3e5e320e9f9ef2e'],
  ['windows-1256', 'e5d0c720e4d520dad1c8ed20c8cad1e3edd220decfede32e'],
]

test.each(TEXTS)(
  'a text in %s is recognised, whatever the language of the user',
  (encoding, bytes) => {
    expect(guessEncoding(hex(bytes), ['en'])).toBe(encoding)
    expect(guessEncoding(hex(bytes), ['de-DE', 'en'])).toBe(encoding)
  },
)

test('Latin encodings are told apart by the language of the user', () => {
  const polish = hex(
    Buffer.from('Za\xbf\xf3\xb3\xe6 g\xea\x9cl\xb9 ja\x9f\xf1', 'latin1').toString('hex'),
  )
  expect(guessEncoding(polish, ['pl'])).toBe('windows-1250')
  expect(guessEncoding(polish, ['pl-PL', 'en'])).toBe('windows-1250')
  const german = hex(
    Buffer.from('Gr\xf6\xdfe und \xdcbung, f\xfcr M\xe4nner', 'latin1').toString('hex'),
  )
  for (const language of ['de', 'en', 'fr', 'ru', 'ja', 'zh-CN', 'ko', 'el']) {
    expect([language, guessEncoding(german, [language])]).toEqual([language, 'windows-1252'])
  }
})
