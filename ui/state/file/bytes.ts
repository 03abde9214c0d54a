/** The content of a file, for viewers that parse it themselves. */

import { proxy, ref } from 'valtio'
import { readBytes } from '#ui/api/files/resources.ts'
import { assign } from '#ui/lib/assign.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

interface Bytes {
  path: TreePath | null
  /** A `ref`; null until it is loaded. */
  value: Uint8Array<ArrayBuffer> | null
  fault: Fault | null
}

export const bytes = proxy<Bytes>({ path: null, value: null, fault: null })

let loading: AbortController | undefined

/**
 * Loads the content of a file into the store.
 *
 * @returns a function that cancels the request and frees the content
 */
export function loadBytes(path: TreePath): () => void {
  loading?.abort()
  const current = new AbortController()
  loading = current
  assign(bytes, { path, value: null, fault: null })
  readBytes(path, current.signal).then(
    (read) => {
      if (loading === current) bytes.value = ref(read.bytes)
    },
    (error: unknown) => {
      if (loading === current && !isFault(error, 'aborted')) bytes.fault = ref(toFault(error))
    },
  )
  return () => {
    current.abort()
    if (loading === current) assign(bytes, { path: null, value: null, fault: null })
  }
}

/**
 * @returns the content of a file, for viewers that keep only what they parse from it
 * @throws Fault as `readBytes` of ui/api/files/resources.ts
 */
export async function readContent(
  path: TreePath,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await readBytes(path, signal)).bytes
}
