/** A file's bytes, for viewers that read them by themselves. */
import { proxy, ref } from 'valtio'
import { readBytes } from '#ui/api/resources.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

interface Bytes {
  path: TreePath | null
  /** A `ref`; null until they are there. */
  value: Uint8Array<ArrayBuffer> | null
  fault: Fault | null
}

export const bytes = proxy<Bytes>({ path: null, value: null, fault: null })

let loading: AbortController | undefined

/** Loads the bytes of a file into the store. The returned function gives up and lets go of them. */
export function loadBytes(path: TreePath): () => void {
  loading?.abort()
  const current = new AbortController()
  loading = current
  Object.assign(bytes, { path, value: null, fault: null })
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
    if (loading === current) Object.assign(bytes, { path: null, value: null, fault: null })
  }
}

function toFault(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('internal', String(error), { cause: error })
}
