/**
 * Compares the beginning of a file with what the server has of it. Size, name and time may be those of another content:
 * containers and images of disks often keep them. The rest of it would make a file that never existed.
 */
import { crc32 } from '#ui/lib/crc32.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { findBegun, type UploadState } from './begun-upload.ts'
import { abortedBy } from './faults.ts'
import { UnreadableFileError } from './retry.ts'
import type { Upload } from './transport.ts'

/**
 * @returns the upload, if the server has the beginning of the file; undefined if it has that of another content
 * @throws as `findBegun`; UnreadableFileError
 */
export async function ifSameStart(
  upload: Upload,
  found: UploadState,
  signal: AbortSignal,
): Promise<UploadState | undefined> {
  const state = await findBegun({ ...upload, begun: found.begun }, signal, { withCrc32: true })
  if (!state || state.offset === 0) return state
  const own = await crc32Of(upload.file.slice(0, state.offset), signal)
  return own === state.crc32 ? state : undefined
}

async function crc32Of(content: Blob, signal: AbortSignal): Promise<number> {
  const { comparedPartBytes } = ON_DEMAND_LIMITS
  let sum = 0
  for (let start = 0; start < content.size; start += comparedPartBytes) {
    if (signal.aborted) throw abortedBy(signal)
    const part = await content
      .slice(start, start + comparedPartBytes)
      .arrayBuffer()
      .catch((cause) => {
        throw new UnreadableFileError('', { cause })
      })
    sum = crc32(new Uint8Array(part), sum)
  }
  return sum
}
