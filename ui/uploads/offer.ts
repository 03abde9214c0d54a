/** Uploads that a closed page has left behind, offered again. */
import { signal } from '@preact/signals-react'
import { isFault } from '#wire/fault.ts'
import { pickFiles } from './pick.ts'
import { resumeUploads } from './queue.ts'
import { readOffset } from './tus.ts'
import { dropUnfinished, type Unfinished, unfinishedOf } from './unfinished.ts'

export interface Offered extends Unfinished {
  /** Bytes that the server has. */
  begun: number
}

/** The newest first; empty while there is nothing to offer. */
export const offer = signal<readonly Offered[]>([])

/** How many are asked about at a time. */
const ASK_AT_ONCE = 5

/** Looks for what the person can go on with. What the server no longer has is forgotten. */
export async function loadOffer(userId: number): Promise<void> {
  const rows = (await unfinishedOf(userId)).toSorted((a, b) => b.atMs - a.atMs)
  const found: Offered[] = []
  for (let at = 0; at < rows.length; at += ASK_AT_ONCE) {
    const asked = rows.slice(at, at + ASK_AT_ONCE).map(offered)
    found.push(...(await Promise.all(asked)).filter((one) => one !== undefined))
  }
  offer.value = found
}

/**
 * Lets the person choose the files again and goes on with those that were offered.
 *
 * @returns false when files were chosen and none is one of them
 */
export async function resumeOffered(): Promise<boolean> {
  const picks = await pickFiles()
  const uploads = offer.value.flatMap(({ path, relativePath, override, ...row }) => {
    const pick = picks.find(({ file }) => file && isSameFile(file, row))
    return pick?.file ? [{ file: pick.file, path, relativePath, override }] : []
  })
  void resumeUploads(uploads)
  return uploads.length > 0 || picks.length === 0
}

/** Offers them no more. Whoever uploads one of the files after all still goes on where it stopped. */
export function dismissOffer(): void {
  for (const row of offer.value) dropUnfinished(row)
  offer.value = []
}

/** Undefined for what cannot be gone on with: at all, or for now. */
async function offered(row: Unfinished): Promise<Offered | undefined> {
  try {
    const there = await readOffset(row.path)
    const goesOn = there?.isOf(row) === true && there.offset < row.size
    if (goesOn) return { ...row, begun: there.offset }
    dropUnfinished(row)
  } catch (error) {
    // Without an answer it is offered another time.
    if (!isFault(error, 'unavailable', 'unauthenticated', 'locked')) dropUnfinished(row)
  }
  return undefined
}

function isSameFile(
  file: File,
  { name, size, lastModified }: Pick<Unfinished, 'name' | 'size' | 'lastModified'>,
): boolean {
  return file.name === name && file.size === size && file.lastModified === lastModified
}
