/**
 * Makes untrusted text safe for a log or a terminal: control characters (C0, DEL, C1), line separators and
 * bidirectional marks become `?`.
 */
export function printable(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    '?',
  )
}
