/** Texts that are too large for the editor, of which the beginning and the end are shown. */
import type { Entry } from '#wire/api/entry.ts'
import { extensionOf } from '#wire/paths.ts'

/** Extensions of texts that programs write, and which become large. */
const TEXTS = new Set(
  'bib conf csv diff eml err fasta fastq gcode geojson gpx html ics ini json jsonl kml ldif log mbox md ndjson obj out patch ply sam sql srt stl svg tex toml trace tsv txt vcf xml yaml yml'.split(
    ' ',
  ),
)

/** Whether the server does not show a file as text because of its size (docs/api.md 1.8). Logs also end in numbers. */
export function isLargeText({ name, type }: Pick<Entry, 'name' | 'type'>): boolean {
  const unnumbered = name.replace(/(?:\.\d+)+$/, '')
  return type === 'blob' && TEXTS.has(extensionOf(unnumbered).slice(1).toLowerCase())
}
