/** What the executable carries of the interface: a table from URL path to embedded file. */

/** How the bytes of an asset may travel, in the words of `Accept-Encoding`, best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface Asset {
  /** The Content-Type. */
  type: string
  /** Of the plain bytes, hexadecimal. */
  hash: string
  /** The name changes with the content, so it may be cached forever. */
  immutable: boolean
  /** Paths for `Bun.file`. An encoding that would not be smaller is absent. */
  files: { identity: string; br?: string; gzip?: string }
}

export interface Manifest {
  /** Of every name and every byte, hexadecimal: the same interface has the same digest. */
  digest: string
  /** index.html; absent as long as the interface is not built. */
  page?: string
  /** By URL path below the base path, such as `/static/index-1a2b3c4d.js`. */
  assets: Record<string, Asset>
}

const NOT_BUILT: Manifest = { digest: 'none', assets: {} }

export const manifest: Manifest = loadGenerated()

/**
 * `manifest.gen.ts` is written by the build: absent in a fresh clone, and without its files once
 * dist/ is removed. `require` is the import that may fail without taking the server along, and the
 * bundler follows it all the same.
 */
function loadGenerated(): Manifest {
  try {
    // The generator writes this type, and tsc checks the generated file against it.
    return (require('./manifest.gen.ts') as { manifest: Manifest }).manifest
  } catch (error) {
    if (isNotFound(error)) return NOT_BUILT
    throw error
  }
}

function isNotFound(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND'
}
