/** libbzip2 as WebAssembly. */
import loadLibbzip2, { type Libbzip2 } from 'libbzip2-wasm'

/** The block size in units of 100 kB: the maximum, that of `bzip2 -9`. */
const BLOCK_SIZE = 9
/** libbzip2's default. */
const WORK_FACTOR = 30

let loading: Promise<Libbzip2> | undefined

/**
 * Compresses a block to a complete bzip2 stream.
 *
 * @throws Error with the message of libbzip2
 */
export async function compressBlock(block: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  loading ??= load()
  const libbzip2 = await loading
  const result = libbzip2.compressBZ2(block, BLOCK_SIZE, WORK_FACTOR)
  try {
    if (result.error !== 0) throw new Error(`bzip2: ${result.errorMsg}`)
    // The output is in the module's memory, which the next block overwrites.
    return new Uint8Array(result.output)
  } finally {
    result.delete()
  }
}

function load(): Promise<Libbzip2> {
  return new Promise((resolve) => {
    loadLibbzip2().then((libbzip2) => {
      // The module has a method `then`, which `await` would call as that of a promise.
      Reflect.deleteProperty(libbzip2, 'then')
      resolve(libbzip2)
    })
  })
}
