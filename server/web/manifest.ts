/** The manifest of the embedded interface: its files, by URL path. */

/** Content encodings of the assets, best first. */
export const CONTENT_CODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof CONTENT_CODINGS)[number]

export interface Asset {
  /** The Content-Type. */
  type: string
  /** Hash of the uncompressed bytes, hexadecimal. */
  hash: string
  /** Whether the name contains a hash of the content, so that browsers may cache the file permanently. */
  immutable: boolean
  /** Paths for `Bun.file`. An encoding that is not smaller is absent. */
  files: { identity: string; br?: string; gzip?: string }
}

export interface Manifest {
  /** Hash of all names and bytes, hexadecimal. */
  digest: string
  /** index.html; absent if the interface is not built. */
  page?: string
  /** URL path below the base path, such as `/static/index-1a2b3c4d.js` → asset. */
  assets: Record<string, Asset>
}

const NOT_BUILT: Manifest = { digest: 'none', assets: {} }

export const manifest: Manifest = loadGenerated()

/**
 * `manifest.gen.ts` is created by the build, so it may be missing. `require` can fail without stopping the server,
 * and the bundler still follows it.
 */
function loadGenerated(): Manifest {
  try {
    // The generator writes this type, and tsc checks the generated file.
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
