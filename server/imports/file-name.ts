/** The name of an imported file: from its server (RFC 6266), or from the URL. */
import { NAME_MAX_BYTES } from '#wire/paths.ts'

/** The name if neither the server nor the URL has one. */
const DEFAULT_NAME = 'download'

/**
 * @param disposition the header `Content-Disposition` as `fetch` returns it, one character for each byte
 * @returns a single path segment that is not hidden and has only visible characters
 */
export function fileNameOf(url: URL, disposition: string | null): string {
  const suggested = disposition === null ? undefined : nameIn(asUtf8(disposition))
  const last = decoded(url.pathname.split('/').at(-1) ?? '')
  return cleanName(suggested ?? '') || cleanName(last) || DEFAULT_NAME
}

/** Decodes the header if its bytes are UTF-8: many servers send it, although RFC 6266 has `filename*` for that. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  if (bytes.toString('latin1') !== header) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return header
  }
}

function nameIn(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decoded(extended)
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition) ?? []
  // Some servers send a name with spaces without quotes.
  return quoted?.replace(/\\(.)/g, '$1') ?? plain
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // Control characters, and characters that are invisible or change the direction of text.
  const visible = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, '').trim()
  const unhidden = visible.replace(/^[.\s]+/, '')
  return withoutTrailingDots(shortened(withoutTrailingDots(unhidden)))
}

/** Removes the dots and spaces at the end, which Windows cannot store. */
function withoutTrailingDots(name: string): string {
  // The lookbehind keeps the time linear: a long row of dots is tried once, not from each of its dots.
  return name.replace(/(?<![.\s])[.\s]+$/, '')
}

/** Shortens the name and keeps the extension. */
function shortened(name: string): string {
  const bytes = (text: string) => Buffer.byteLength(text)
  if (bytes(name) <= NAME_MAX_BYTES) return name
  const [extension = ''] = /\.[^.]{1,16}$/.exec(name) ?? []
  const stem = [...name.slice(0, name.length - extension.length)]
  while (bytes(stem.join('')) + bytes(extension) > NAME_MAX_BYTES)
    stem.length = Math.floor(stem.length * 0.9)
  return stem.join('') + extension
}
