/** Encodings of the file names in a zip that does not say which one it uses. */
export const NAME_ENCODINGS = [
  'cp437',
  'cp866',
  'cp1251',
  'gbk',
  'big5',
  'shift_jis',
  'euc-kr',
  'utf-8',
] as const
export type NameEncoding = (typeof NAME_ENCODINGS)[number]
