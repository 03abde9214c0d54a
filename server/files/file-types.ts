/** The type of a file in listings, and its media type for browsers (docs/api.md 8.2 and 8.3). */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import type { EntryType } from '#wire/api/entry.ts'
import { extensionOf, nameOf } from '#wire/paths.ts'

/** File extensions without the dot, by the type of entries that have them. */
const ENDINGS: Record<'video' | 'audio' | 'image' | 'pdf' | 'text', string> = {
  video: '3gp asf avi flv m1v m2v m4v mkv mov mp4 mpe mpeg mpg m2t m2ts mts ogv webm wmv vob',
  audio:
    'aac aif aifc aiff amr au flac m3u m4a mid midi mka mp2 mp3 mpga oga ogg opus wav weba wma',
  image:
    'apng arw avif bmp cr2 cr3 dng gif heic heif hif ico jfif jpe jpeg jpg jxl nef nrw orf pbm pcx pef pgm png pnm ppm qoi raf rw2 sr2 srf srw svg tif tiff webp xbm xpm',
  pdf: 'pdf',
  text: `asc asm astro bash bat bib c c++ cc cfg clj cmake cmd conf config cpp cs csh css csv cxx dart
    def diff dockerfile dtd editorconfig ejs elm env erl ex exs f90 fish fs gitattributes gitignore go
    gradle graphql groovy h hh hpp hrl hs htm html http hxx ics inc ini ipynb java jl js json json5
    jsonc jsonl jsx kt kts latex less lisp list lock log lst lua m4 mak make map markdown md mdx mjs
    cjs ml mli mm nfo nim nix npmrc opml org pas patch php pl plist pm po pot proto ps1 properties py
    r rb reg rs rss rst rtx sass sbt scala scm scss service sh sql srt ass ssa sub vtt styl sv svelte
    swift tcl tex text textile tf toml ts tsv tsx txt uue v vb vcf vhd vim vue xhtml xml xsd xsl xslt
    yaml yml zig zsh`,
}

/**
 * Further extensions of File Browser (docs/api.md 8.3), without `opus`, which is audio, and `com`, which is usually a
 * program.
 */
const FILE_BROWSER_ENDINGS: Partial<typeof ENDINGS> = {
  video:
    'afl avs dif divx dl dv fli fmf gl isu mjpg moov movie mv qt qtc rv vdo viv vivo vos xdr xsr',
  audio:
    'caf funk gsd gsm it jam kar la lam lma m2a mjf mod mpa my pfunk qcp ra ram rmi rmm rmp rpm s3m sid snd spx tsi voc vox vqe vqf vql xm',
  image:
    'art flo fpx g3 ief iefs jfif-tbnl jps jut nap naplps nif niff pct pic pict qif qti qtif rast rf rgb rp svf turbot wbmp x-png xif xwd',
  text: 'abc acgi aip asp el etx f f77 flx for g hlb htc htmls htt htx icz idc jav ksh lsp lsx m manifest mar mcf p rexx rt rtf s sdml sgm sgml shtml spc ssi talk tcsh uil uni unis uri uris uu vcard vcs wml wmls wsc',
}

/** Names of text files without an extension. */
const TEXT_NAMES: ReadonlySet<string> = new Set(
  'authors changelog codeowners contributing copying dockerfile gemfile justfile license licence makefile notice procfile rakefile readme todo vagrantfile'.split(
    ' ',
  ),
)

const TYPE_BY_ENDING: ReadonlyMap<string, EntryType> = new Map(
  [FILE_BROWSER_ENDINGS, ENDINGS].flatMap((table) =>
    Object.entries(table).flatMap(([type, endings]) =>
      endings.split(/\s+/).map((ending): [string, EntryType] => [ending, type as EntryType]),
    ),
  ),
)

/**
 * The type by name alone. For listings: opening each file of a large folder would be too slow.
 *
 * @param name the last name of the path
 */
export function typeByName(
  node: Pick<Node, 'path' | 'kind' | 'sizeBytes'>,
  name = nameOf(node.path),
): EntryType {
  if (node.kind === 'folder') return ''
  if (node.kind === 'danglingLink') return 'invalid_link'
  if (node.kind !== 'file') return 'blob'
  const type = typeByEnding(name) ?? (TEXT_NAMES.has(name.toLowerCase()) ? 'text' : 'blob')
  if (type !== 'text' || node.sizeBytes <= SERVER_LIMITS.textMaxBytes) return type
  // No program is so large, but most recordings are.
  return TRANSPORT_STREAM.test(name) ? 'video' : 'blob'
}

const TRANSPORT_STREAM = /\.ts$/i

/** @returns the type by the extension of a name or path; undefined if the extension is unknown */
export function typeByEnding(path: string): EntryType | undefined {
  const type = TYPE_BY_ENDING.get(extensionOf(path).slice(1).toLowerCase())
  return type === 'audio' && GO_MODULE.test(path) ? 'text' : type
}

/** A file of the language Go; every other file with the extension `.mod` is a song. */
const GO_MODULE = /(?:^|\/)go\.mod$/i

/** Whether the name does not tell the type of a file, and it is small enough for a text: its first bytes then decide. */
export function mayBeText(node: Node, type: EntryType): boolean {
  return type === 'blob' && node.kind === 'file' && node.sizeBytes <= SERVER_LIMITS.textMaxBytes
}

/** Whether the first bytes are text: UTF-8 without the characters U+0000 to U+0008 (docs/api.md 8.2). */
export function looksLikeText(start: Uint8Array): boolean {
  // The last character may be incomplete; `stream: true` permits only that.
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters mark binary files
    return !/[\u0000-\u0008]/.test(text)
  } catch {
    return false
  }
}

/** Media types that Bun's table lacks, or that browsers do not play under Bun's name. */
const MEDIA_TYPES: Record<string, string> = {
  mkv: 'video/x-matroska',
  m4v: 'video/mp4',
  heic: 'image/heic',
  heif: 'image/heif',
  hif: 'image/heif',
  jxl: 'image/jxl',
  opus: 'audio/ogg',
  ts: 'video/mp2t',
  mts: 'video/mp2t',
  m2t: 'video/mp2t',
  m2ts: 'video/mp2t',
}

/** The Content-Type for a picture, a film, a song or a PDF that a browser shows. Never that of a text or a script. */
export function mediaType(name: string): string {
  const known = MEDIA_TYPES[extensionOf(name).slice(1).toLowerCase()]
  if (known) return known
  const { type } = Bun.file(name.toLowerCase())
  return /^(?!text\/|.*(?:script|html))./.test(type) ? type : 'application/octet-stream'
}
