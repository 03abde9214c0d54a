/**
 * The signature in an executable for macOS (Mach-O of 64 bits; `cs_blobs.h` of its kernel). macOS starts an executable for arm64
 * only if the hash of each of its pages is the one in the signature. The build signs ad hoc, that is without a certificate.
 */

const MAGIC = 0xfeedfacf
const LC_CODE_SIGNATURE = 0x1d
const EMBEDDED_SIGNATURE = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
const SHA256 = 2
/** Offsets of fields. */
const HEADER = { commands: 16, bytes: 32 } as const
const COMMAND = { kind: 0, bytes: 4, offset: 8, size: 12 } as const
const BLOBS = { count: 8, first: 12, bytes: 8, offset: 4 } as const
const DIRECTORY = {
  hashes: 16,
  pages: 28,
  limit: 32,
  hashBytes: 36,
  hashKind: 37,
  pageBits: 39,
} as const

/** @returns why macOS would refuse the executable; undefined if its signature is right */
export function signatureFault(file: Buffer): string | undefined {
  if (file.length < HEADER.bytes || file.readUInt32LE(0) !== MAGIC) return 'It is not of macOS.'
  const signature = signatureIn(file)
  if (!signature) return 'It has no signature.'
  if (signature.end !== file.length) return 'Its signature is not at its end.'
  const directory = directoryIn(file, signature.offset)
  if (directory === undefined) return 'Its signature has no hashes.'
  const field = (at: number) => file.readUInt32BE(directory + at)
  const limit = field(DIRECTORY.limit)
  if (limit !== signature.offset) return 'Its signature does not cover all of it.'
  if (file[directory + DIRECTORY.hashKind] !== SHA256) return 'Its hashes are not of SHA-256.'
  const pageBytes = 2 ** (file[directory + DIRECTORY.pageBits] ?? 0)
  const hashBytes = file[directory + DIRECTORY.hashBytes] ?? 0
  const pages = field(DIRECTORY.pages)
  if (pages !== Math.ceil(limit / pageBytes)) return 'Pages have no hash.'
  const first = directory + field(DIRECTORY.hashes)
  for (let page = 0; page < pages; page += 1) {
    // The last page ends where the signature begins.
    const bytes = file.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, limit))
    const at = first + page * hashBytes
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest()
    const isSame = hash.equals(file.subarray(at, at + hashBytes))
    if (!isSame) return `Page ${page} of ${pages} has another hash.`
  }
  return undefined
}

/** @returns where the signature begins and ends */
function signatureIn(file: Buffer): { offset: number; end: number } | undefined {
  let at: number = HEADER.bytes
  for (let left = file.readUInt32LE(HEADER.commands); left > 0; left -= 1) {
    if (file.readUInt32LE(at + COMMAND.kind) === LC_CODE_SIGNATURE) {
      const offset = file.readUInt32LE(at + COMMAND.offset)
      return { offset, end: offset + file.readUInt32LE(at + COMMAND.size) }
    }
    at += file.readUInt32LE(at + COMMAND.bytes)
  }
  return undefined
}

/** @returns where the list of hashes begins */
function directoryIn(file: Buffer, signature: number): number | undefined {
  if (file.readUInt32BE(signature) !== EMBEDDED_SIGNATURE) return undefined
  const count = file.readUInt32BE(signature + BLOBS.count)
  for (let index = 0; index < count; index += 1) {
    const entry = signature + BLOBS.first + index * BLOBS.bytes
    const blob = signature + file.readUInt32BE(entry + BLOBS.offset)
    if (file.readUInt32BE(blob) === CODE_DIRECTORY) return blob
  }
  return undefined
}
