/** The content of a file, for viewers that parse it themselves. */

import { proxy, ref } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { FileSource } from './file-source.ts'

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
export function loadBytes(path: TreePath, source: Pick<FileSource, 'read'>): () => void {
  loading?.abort()
  const current = new AbortController()
  loading = current
  assign(bytes, { path, value: null, fault: null })
  source.read(path, current.signal).then(
    (content) => {
      if (loading === current) bytes.value = ref(content)
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
