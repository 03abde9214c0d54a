/** Compares a copy with its original by hash. */
import { createHash } from 'node:crypto'
import { Fault } from '#wire/fault.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { DiskPath, Handle } from '../handles/handle.ts'
import { READ_FLAGS } from '../handles/resolve.ts'

const CHUNK_BYTES = 1024 * 1024

/**
 * Reads both and compares their SHA-256.
 *
 * @param onChunk called after each MiB; throwing stops the comparison
 * @throws Fault conflict if they differ; system errors
 */
export async function mustHaveSameBytes(
  source: Handle,
  copy: DiskPath,
  onChunk: () => void = () => undefined,
): Promise<void> {
  const sourceHash = await hashOf(source.disk, onChunk)
  const copyHash = await hashOf(copy, onChunk)
  if (sourceHash === copyHash) return
  throw new Fault('conflict', 'The files were changed while they were moved. Try again.', {
    reason: 'changedMeanwhile',
  })
}

async function hashOf(path: DiskPath, onChunk: () => void): Promise<string> {
  const file = await fileCalls.open(path, READ_FLAGS)
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let offset = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
      offset += bytesRead
      onChunk()
    }
  } finally {
    await file.close()
  }
}
