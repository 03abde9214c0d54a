/** Names are displayed so that each character is visible, and none can disguise another. */
import { describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { formatNames } from '#ui/i18n/format-names.ts'
import { t } from '#ui/i18n/i18n.ts'
import { endOf, shownName, shownPath, withoutDisguise } from '#ui/lib/entries/shown-name.ts'

describe('a name', () => {
  test.each([
    ['an ordinary name (1).txt', 'an ordinary name (1).txt'],
    ['صور الرحلة.txt', 'صور الرحلة.txt'],
    // Emoji and Persian need joiners.
    ['👩‍💻 می‌خواهم.txt', '👩‍💻 می‌خواهم.txt'],
    ['holiday\u202egnp.exe', 'holiday⟨U+202E⟩gnp.exe'],
    ['a\u2066b\u2069\u200fc', 'a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩c'],
    ['new\nline\r\t\x7f.txt', 'new␊line␍␉␡.txt'],
    ['a\u2028b\u0085', 'a⟨U+2028⟩b⟨U+0085⟩'],
    [' leading and trailing  ', '␣leading and trailing␣␣'],
    ['\u00a0x', '⟨U+00A0⟩x'],
    ['   ', '␣␣␣'],
    ['in\u200bvisible\ufeff', 'in⟨U+200B⟩visible⟨U+FEFF⟩'],
  ])('the name %j is displayed as %j', (name, text) => {
    expect(shownName(name)).toEqual({ text, isUtf8: true, isPlain: name === text })
  })

  test('two names that differ in invisible characters look different @spec-2.29', () => {
    const names = ['a.txt', ' a.txt', 'a.txt ', 'a\u200b.txt', 'a.txt\n', '\u202ea.txt']
    expect(new Set(names.map((name) => shownName(name).text)).size).toBe(names.length)
  })

  test('bytes that are not UTF-8 stay marked as such', () => {
    expect(shownName('caf\uefe9')).toEqual({ text: 'caf\\xE9', isUtf8: false, isPlain: false })
  })
})

test('each name of a path is displayed separately', () => {
  expect(shownPath('/a /\u202eb/c')).toBe('/a␣/⟨U+202E⟩b/c')
})

test('a sentence shows the invisible characters of its names', () => {
  expect(t('toasts.copied', { count: 1, name: 'x\u202egnp.exe' })).toContain('x⟨U+202E⟩gnp.exe')
  expect(t('toasts.about', { name: 'a\nb', what: 'Not found' })).toContain('“a␊b”')
  expect(t('listing.more', { name: 'bad\uefff' })).toContain('bad\\xFF')
})

test('a list of names shows the direction marks of each', () => {
  const names = formatNames(['a\u200ftxt.exe', '\u200eb\u061c '])
  expect(t('toasts.notRenamed', { names, why: '' })).toContain(
    'a⟨U+200F⟩txt.exe and ⟨U+200E⟩b⟨U+061C⟩␣',
  )
})

test('a date keeps its direction marks', () => {
  expect(withoutDisguise('١٨\u200f/١١\u200f/٢٠٢٥')).toBe('١٨\u200f/١١\u200f/٢٠٢٥')
})

test.each([
  ['report.pdf', ''],
  ['Contract 2020 - customer.pdf', 'customer.pdf'],
  ['budget-2025-final-approved.xlsx', 'approved.xlsx'],
  ['IMG_20240612_183022.jpg', '183022.jpg'],
  ['master-archive-2014–2025.tar.zst', '2025.tar.zst'],
  ['averylongnamewithoutseparators.txt', 'rators.txt'],
  ['Überraschungsgeburtstagsfeier.docx', 'feier.docx'],
  ['大きな写真のとても長い名前をここに書きます.jpg', 'こに書きます.jpg'],
  // Arabic letters are joined to the next ones: these names are cut at blanks, or at their end.
  ['تقرير المبيعات السنوي النهائي.pdf', 'النهائي.pdf'],
  ['المستشفياتوالمدارسوالجامعاتوالمكتبات', ''],
  // A picture of several code points is one.
  ['photos of the family 👨‍👩‍👧‍👦.jpeg', '👨‍👩‍👧‍👦.jpeg'],
  ['photosofthewholefamily👨‍👩‍👧‍👦.jpeg', ''],
])('the end of the name %p that stays visible is %p', (name, end) => {
  const start = endOf(name)
  expect(start === 0 ? '' : name.slice(start)).toBe(end)
})
