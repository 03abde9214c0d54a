/** Chooses the icon of an entry: by its type, then by its extension. */
import type { EntryType } from '#wire/api/entry.ts'
import { extensionOf } from '#wire/paths.ts'
import type { FILE_ICONS } from '../icons.ts'

export type FileKind = keyof typeof FILE_ICONS

/** The properties of an entry that the choice depends on. */
export interface KindSource {
  name: string
  isDir: boolean
  type: EntryType
  leadsOutside?: boolean | undefined
}

/** The kind of icon for `entry`. */
export function kindOf(entry: KindSource): FileKind | 'folder' {
  if (entry.isDir) return 'folder'
  if (entry.leadsOutside) return 'outside'
  if (entry.type === 'invalid_link') return 'link'
  const byExtension = KIND_BY_EXTENSION.get(extensionOf(entry.name).slice(1).toLowerCase())
  return KIND_BY_TYPE[entry.type] ?? byExtension ?? FALLBACK_BY_TYPE[entry.type]
}

/** The kind of a link that cannot be opened: nothing is there, or the target is outside. Undefined for other entries. */
export function deadLinkKind(entry: KindSource): 'link' | 'outside' | undefined {
  const kind = kindOf(entry)
  return kind === 'link' || kind === 'outside' ? kind : undefined
}

/** Types for which the extension does not matter. */
const KIND_BY_TYPE: Partial<Record<EntryType, FileKind>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  pdf: 'pdf',
}

/** The kind of entries whose extension is unknown. */
const FALLBACK_BY_TYPE: Record<EntryType, FileKind> = {
  '': 'blob',
  video: 'video',
  audio: 'audio',
  image: 'image',
  pdf: 'pdf',
  text: 'text',
  textImmutable: 'text',
  blob: 'blob',
  invalid_link: 'link',
}

/** The extensions of each kind, separated by spaces. */
const EXTENSIONS: Partial<Record<FileKind, string>> = {
  archive: 'zip tar gz tgz bz2 tbz xz txz zst lz4 sz br rar 7z iso dmg jar war deb rpm apk cab',
  sheet: 'xls xlsx xlsm ods csv tsv numbers parquet',
  document: 'doc docx odt rtf pages ppt pptx odp key epub mobi azw3 tex',
  code: `c cc cpp cs css clj dart ex exs go h hpp hs html java jl js json jsx kt less lua m mjs ml
    nim nix php pl ps1 py r rb rs scala scss sh sql svelte swift toml ts tsx vue xml yaml yml zig`,
  pdf: 'pdf',
  image:
    'jpg jpeg png gif webp avif heic heif hif tif tiff bmp svg ico psd raw cr2 cr3 nef nrw arw dng orf pef raf rw2 sr2 srf srw',
  video: 'mp4 mov mkv webm avi m4v mpg mpeg wmv flv ogv mts m2ts',
  audio: 'mp3 wav flac ogg oga opus m4a aac aiff aif wma mid midi',
  text: 'txt md markdown log rst org adoc ini conf cfg env srt vtt',
}

const KIND_BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    // The keys of EXTENSIONS are kinds by their type; Object.entries widens them.
    list.split(/\s+/).map((extension) => [extension, kind as FileKind] as const),
  ),
)
