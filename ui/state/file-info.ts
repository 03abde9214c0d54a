/** What there is to say of things: at once from what is known, and more from the server. */

import * as api from '#ui/api/resources.ts'
import {
  formatDate,
  formatDateRange,
  formatExactSize,
  formatFullDate,
  formatNumber,
  formatSize,
} from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { InfoItem } from '#ui/lib/info-item.ts'
import { kindOf } from '#ui/lib/kinds.ts'
import { leadsSomewhere } from '#ui/lib/links.ts'
import { shownName } from '#ui/lib/shown-name.ts'
import { sizeOf } from '#ui/lib/size-of.ts'
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type Entry,
  type FileEntry,
  isListing,
  type Listing,
} from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parentPath, parsePath, ROOT, segmentsOf } from '#wire/paths.ts'
import { session } from './session.ts'

/** Of one thing, or of several of one folder together. */
export function fileInfoOf(entries: readonly Entry[]): InfoItem[] {
  const [first, ...others] = entries
  if (!first) return []
  const single = others.length === 0
  return [
    ...(single ? whatItIs(first) : [countLabel(entries)]),
    ...sizeFact(entries),
    ...(single ? folderInfo(first) : []),
    single ? whenChanged(first) : whenChangedAll(entries),
    ...whereItIs(first),
  ]
}

/** Whether the server has more to say of `entry` than a listing does. */
export function hasMoreInfo(entry: FileEntry | Listing): boolean {
  if (entry.isDir) return !('items' in entry)
  return entry.type === 'image' && !('resolution' in entry) && !('content' in entry)
}

/** The size of a picture; how many things a folder holds. @throws Fault notFound, forbidden */
export async function moreInfoOf(entry: Entry, signal: AbortSignal): Promise<InfoItem[]> {
  return folderInfo(await api.stat(parsePath(entry.path), signal))
}

/** Which checksums may be asked for: of one file, by those who may download. */
export function checksumsOf(entries: readonly Entry[]): readonly ChecksumAlgorithm[] {
  const [only, ...others] = entries
  const isFile = only && others.length === 0 && !only.isDir && leadsSomewhere(only)
  const may = isFile && session.user?.perm.download
  return may ? CHECKSUM_ALGORITHMS : []
}

/** A checksum of a file; it may take as long as reading all of it. @throws Fault notFound, forbidden */
export async function checksumOf(
  entry: Entry,
  algorithm: ChecksumAlgorithm,
  signal: AbortSignal,
): Promise<string> {
  const { checksums } = await api.checksum(parsePath(entry.path), algorithm, signal)
  const digest = checksums?.[algorithm]
  if (digest === undefined) throw new Fault('internal', 'The answer holds no checksum.')
  return digest
}

function whatItIs(entry: Entry): InfoItem[] {
  return [
    {
      term: t('details.name'),
      text: shownName(nameOf(parsePath(entry.path))).text || t('places.home'),
    },
    { term: t('details.kind'), text: t(`kinds.${kindOf(entry)}`) },
  ]
}

function countLabel({ length }: readonly Entry[]): InfoItem {
  const text = t('details.items', { count: length, value: formatNumber(length) })
  return { term: t('details.selected'), text }
}

/** Of files, and of folders as far as it is known what they hold. */
function sizeFact(entries: readonly Entry[]): InfoItem[] {
  if (entries.every(({ isDir, totalSize }) => isDir && totalSize === undefined)) return []
  const bytes = sizeOf(entries)
  return [{ term: t('details.size'), text: formatSize(bytes), title: formatExactSize(bytes) }]
}

function folderInfo(entry: Entry | FileEntry | Listing): InfoItem[] {
  if ('items' in entry && isListing(entry)) return [contents(entry)]
  if (!('resolution' in entry) || !entry.resolution) return []
  const { width, height } = entry.resolution
  const size = { width: formatNumber(width), height: formatNumber(height) }
  return [{ term: t('details.resolution'), text: t('details.pixels', size) }]
}

function contents({ numDirs, numFiles, items }: Listing): InfoItem {
  const counts = [
    numDirs > 0 && t('listing.folders', { count: numDirs, value: formatNumber(numDirs) }),
    numFiles > 0 && t('listing.files', { count: numFiles, value: formatNumber(numFiles) }),
  ].filter((text) => text !== false)
  return {
    term: t('details.contains'),
    text: counts.join(', ') || t('listing.empty'),
    title: formatSize(sizeOf(items)),
  }
}

function whenChanged({ modified }: Entry): InfoItem {
  return {
    term: t('details.modified'),
    text: formatDate(modified, session.user?.dateFormat),
    title: formatFullDate(modified),
  }
}

function whenChangedAll(entries: readonly Entry[]): InfoItem {
  const times = entries.map((entry) => Date.parse(entry.modified)).filter(Number.isFinite)
  const from = times.reduce((a, b) => Math.min(a, b), times[0] ?? 0)
  const to = times.reduce((a, b) => Math.max(a, b), from)
  return { term: t('details.modified'), text: formatDateRange(new Date(from), new Date(to)) }
}

function whereItIs(entry: Entry): InfoItem[] {
  const path = parsePath(entry.path)
  if (path === ROOT) return []
  const names = segmentsOf(parentPath(path))
    .map((name) => shownName(name).text)
    .join(' / ')
  return [{ term: t('details.in'), text: names || t('places.home') }]
}
