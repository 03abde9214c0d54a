/** Information about entries: immediately from the listing, and more from the server. */

import * as media from '#ui/api/files/media.ts'
import * as api from '#ui/api/files/resources.ts'
import {
  formatDate,
  formatDateRange,
  formatExactSize,
  formatFullDate,
  formatNumber,
  formatParts,
  formatSize,
} from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { formatLength } from '#ui/i18n/length.ts'
import { formatExposure, formatPosition, formatTaken } from '#ui/i18n/media-format.ts'
import type { InfoItem } from '#ui/lib/entries/info-item.ts'
import { kindOf } from '#ui/lib/entries/kinds.ts'
import { shownName, withoutDisguise } from '#ui/lib/entries/shown-name.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type Entry,
  type FileEntry,
  isListing,
  type Listing,
  type Resolution,
} from '#wire/api/entry.ts'
import type { MediaFacts } from '#wire/api/media.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parentPath, parsePath, ROOT, segmentsOf } from '#wire/paths.ts'
import { session } from '../session/session.ts'

/**
 * @returns the information about one entry, or about several entries of one folder together; without the name, which
 * is the heading (`headingOf`)
 */
export function fileInfoOf(entries: readonly Entry[]): InfoItem[] {
  const [first, ...others] = entries
  if (!first) return []
  const single = others.length === 0
  return [
    ...(single ? kindItem(first) : []),
    ...sizeItem(entries),
    ...(single ? contentInfo(first) : []),
    single ? modifiedItem(first) : modifiedRangeItem(entries),
    ...locationItem(first),
  ]
}

/** Whether the server knows more about `entry` than a listing contains. */
export function hasMoreInfo(entry: FileEntry | Listing): boolean {
  if (entry.isDir) return !('items' in entry)
  if (hasMetadata(entry)) return true
  return entry.type === 'image' && !('resolution' in entry) && !('content' in entry)
}

/**
 * @returns the metadata of a picture, film or recording, or the number of entries of a folder
 * @throws Fault notFound, forbidden
 */
export async function moreInfoOf(entry: Entry, signal: AbortSignal): Promise<InfoItem[]> {
  const path = parsePath(entry.path)
  if (!hasMetadata(entry)) return contentInfo(await api.stat(path, signal))
  const facts = await media.read(path, signal)
  if (!('resolution' in entry)) return mediaInfo(facts)
  // The dimensions are shown already: the listing contains them.
  const { width: _, ...others } = facts
  return mediaInfo(others)
}

/** Whether the metadata of a file can be requested. */
function hasMetadata({ type }: Entry): boolean {
  const isMedia = type === 'image' || type === 'video' || type === 'audio'
  return isMedia && session.user?.perm.download === true
}

/** The facts that are shown under another name. */
type Renamed = 'width' | 'height' | 'seconds' | 'title'
type MediaTerm = Exclude<keyof MediaFacts, Renamed> | 'length' | 'resolution' | 'track'

/** Metadata as information, in the order in which it is shown. */
export function mediaInfo(facts: MediaFacts): InfoItem[] {
  const { width, height, seconds, taken, camera, lens, exposure, position } = facts
  const { title, artist, album } = facts
  const texts: [term: MediaTerm, text: string | undefined][] = [
    ['track', title && withoutDisguise(title)],
    ['artist', artist && withoutDisguise(artist)],
    ['album', album && withoutDisguise(album)],
    ['taken', taken && formatTaken(taken)],
    ['length', seconds === undefined ? undefined : formatLength(seconds)],
    ['resolution', width && height ? pixels({ width, height }) : undefined],
    ['camera', camera],
    ['lens', lens],
    ['exposure', exposure && formatExposure(exposure)],
    ['position', position && formatPosition(position)],
  ]
  return texts.flatMap(([term, text]) => (text ? [{ term: t(`details.${term}`), text }] : []))
}

/** @returns the checksums that can be requested: for one file, if the user has the download right */
export function checksumsOf(entries: readonly Entry[]): readonly ChecksumAlgorithm[] {
  const [only, ...others] = entries
  const isFile = only && others.length === 0 && !only.isDir && hasContent(only)
  const isAllowed = isFile && session.user?.perm.download
  return isAllowed ? CHECKSUM_ALGORITHMS : []
}

/**
 * @returns a checksum of a file; the server may have to read the whole file
 * @throws Fault notFound, forbidden
 */
export async function checksumOf(
  entry: Entry,
  algorithm: ChecksumAlgorithm,
  signal: AbortSignal,
): Promise<string> {
  const { checksums } = await api.checksum(parsePath(entry.path), algorithm, signal)
  const digest = checksums?.[algorithm]
  if (digest === undefined) throw new Fault('internal', 'The response contains no checksum.')
  return digest
}

/** The name of one entry, or the number of several. */
export function headingOf([first, ...others]: readonly Entry[]): string {
  if (others.length > 0) return itemsText(others.length + 1)
  const name = first && nameOf(parsePath(first.path))
  return (name && shownName(name).text) || t('places.home')
}

function kindItem(entry: Entry): InfoItem[] {
  return [{ term: t('details.kind'), text: t(`kinds.${kindOf(entry)}`) }]
}

function itemsText(count: number): string {
  return t('details.items', { count, value: formatNumber(count) })
}

/** The size of files, and of folders whose content is known. */
function sizeItem(entries: readonly Entry[]): InfoItem[] {
  if (entries.every(({ isDir, totalSize }) => isDir && totalSize === undefined)) return []
  const bytes = sizeOf(entries)
  return [{ term: t('details.size'), text: formatSize(bytes), title: formatExactSize(bytes) }]
}

/** The number of entries of a folder, or the dimensions of a picture, if they are known. */
function contentInfo(entry: Entry | FileEntry | Listing): InfoItem[] {
  if ('items' in entry && isListing(entry)) return [contentsItem(entry)]
  if (!('resolution' in entry) || !entry.resolution) return []
  return [{ term: t('details.resolution'), text: pixels(entry.resolution) }]
}

function pixels({ width, height }: Resolution): string {
  return t('details.pixels', { width: formatNumber(width), height: formatNumber(height) })
}

function contentsItem({ numDirs, numFiles, items }: Listing): InfoItem {
  const counts = [
    numDirs > 0 && t('listing.folders', { count: numDirs, value: formatNumber(numDirs) }),
    numFiles > 0 && t('listing.files', { count: numFiles, value: formatNumber(numFiles) }),
  ].filter((text) => text !== false)
  return {
    term: t('details.contains'),
    text: formatParts(counts) || t('listing.empty'),
    title: formatSize(sizeOf(items)),
  }
}

function modifiedItem({ modified }: Entry): InfoItem {
  return {
    term: t('details.modified'),
    text: formatDate(modified, session.user?.dateFormat),
    title: formatFullDate(modified),
  }
}

function modifiedRangeItem(entries: readonly Entry[]): InfoItem {
  const times = entries.map((entry) => Date.parse(entry.modified)).filter(Number.isFinite)
  const from = times.reduce((a, b) => Math.min(a, b), times[0] ?? 0)
  const to = times.reduce((a, b) => Math.max(a, b), from)
  return { term: t('details.modified'), text: formatDateRange(new Date(from), new Date(to)) }
}

function locationItem(entry: Entry): InfoItem[] {
  const path = parsePath(entry.path)
  if (path === ROOT) return []
  const names = segmentsOf(parentPath(path))
    .map((name) => shownName(name).text)
    .join(' / ')
  return [{ term: t('details.in'), text: names || t('places.home') }]
}
