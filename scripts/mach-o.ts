/**
 * The signature in an executable for macOS (Mach-O of 64 bits: `loader.h` and `cs_blobs.h` of its kernel). It has the hash of each
 * page, and macOS ends a program with a page whose hash differs. A signature that is made ad hoc has no certificate.
 */

const MAGIC = 0xfeedfacf
const LC_SEGMENT_64 = 0x19
const LC_CODE_SIGNATURE = 0x1d
const EMBEDDED_SIGNATURE = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
/** The first version of a code directory with the limits of the program. */
const DIRECTORY_VERSION = 0x20400
/** CS_ADHOC and CS_LINKER_SIGNED: `codesign` replaces such a signature. */
const AD_HOC = 0x20002
const SHA256 = { kind: 2, bytes: 32 } as const
const PAGE_BITS = 12
const PAGE_BYTES = 2 ** PAGE_BITS
/** The pages of a segment in memory, on arm64 and x64. */
const SEGMENT_PAGE_BYTES = 16 * 1024
const MAIN_BINARY = 1n

/** Offsets of fields. */
const HEADER = { commands: 16, bytes: 32 } as const
const COMMAND = { kind: 0, bytes: 4, offset: 8, size: 12 } as const
const SEGMENT = { name: 8, memoryBytes: 32, offset: 40, bytes: 48, nameBytes: 16 } as const
const BLOBS = { length: 4, count: 8, first: 12, bytes: 8, offset: 4 } as const
const DIRECTORY = {
  length: 4,
  version: 8,
  flags: 12,
  hashes: 16,
  identifier: 20,
  pages: 28,
  limit: 32,
  hashBytes: 36,
  hashKind: 37,
  pageBits: 39,
  programLimit: 72,
  programFlags: 80,
  bytes: 88,
} as const

/** @returns why macOS would refuse the executable; undefined if its signature is right */
export function signatureFault(file: Buffer): string | undefined {
  if (file.length < HEADER.bytes || file.readUInt32LE(0) !== MAGIC) return 'It is not of macOS.'
  const command = signatureCommand(file)
  if (command === undefined) return 'It has no signature.'
  const offset = file.readUInt32LE(command + COMMAND.offset)
  if (offset + file.readUInt32LE(command + COMMAND.size) !== file.length) {
    return 'Its signature is not at its end.'
  }
  const directory = directoryIn(file, offset)
  if (directory === undefined) return 'Its signature has no hashes.'
  const field = (at: number) => file.readUInt32BE(directory + at)
  if (field(DIRECTORY.limit) !== offset) return 'Its signature does not cover all of it.'
  const [kind, bits] = [file[directory + DIRECTORY.hashKind], file[directory + DIRECTORY.pageBits]]
  if (kind !== SHA256.kind || bits !== PAGE_BITS) return 'Its signature has another form.'
  const hashes = hashesOf(file.subarray(0, offset))
  if (field(DIRECTORY.pages) !== hashes.length) return 'Pages have no hash.'
  const first = directory + field(DIRECTORY.hashes)
  const wrong = hashes.findIndex((hash, page) => {
    const at = first + page * SHA256.bytes
    return !hash.equals(file.subarray(at, at + SHA256.bytes))
  })
  return wrong < 0 ? undefined : `Page ${wrong} of ${hashes.length} has another hash.`
}

/**
 * Replaces the signature of an executable, whatever it was, by one that is made ad hoc.
 *
 * @param file an executable with a signature at its end
 * @param identifier the name of the program in the signature
 * @returns the signed executable
 * @throws Error if it has none
 */
export function signAdHoc(file: Buffer, identifier: string): Buffer {
  const command = signatureCommand(file)
  const [program, links] = [segmentOf(file, '__TEXT'), segmentOf(file, '__LINKEDIT')]
  if (command === undefined || program === undefined || links === undefined) {
    throw new Error('This executable has no signature to replace.')
  }
  const offset = file.readUInt32LE(command + COMMAND.offset)
  const name = Buffer.from(`${identifier}\0`)
  const pages = Math.ceil(offset / PAGE_BYTES)
  const hashesAt = DIRECTORY.bytes + name.length
  const directory = Buffer.alloc(hashesAt + pages * SHA256.bytes)
  const blobs = Buffer.alloc(BLOBS.first + BLOBS.bytes)
  const length = blobs.length + directory.length

  const content = Buffer.from(file.subarray(0, offset))
  // The hashes cover the load commands too, which say how long the signature is.
  content.writeUInt32LE(length, command + COMMAND.size)
  const linksBytes = offset + length - Number(content.readBigUInt64LE(links + SEGMENT.offset))
  content.writeBigUInt64LE(BigInt(linksBytes), links + SEGMENT.bytes)
  const inMemory = Math.ceil(linksBytes / SEGMENT_PAGE_BYTES) * SEGMENT_PAGE_BYTES
  content.writeBigUInt64LE(BigInt(inMemory), links + SEGMENT.memoryBytes)

  for (const [at, value] of [
    [0, CODE_DIRECTORY],
    [DIRECTORY.length, directory.length],
    [DIRECTORY.version, DIRECTORY_VERSION],
    [DIRECTORY.flags, AD_HOC],
    [DIRECTORY.hashes, hashesAt],
    [DIRECTORY.identifier, DIRECTORY.bytes],
    [DIRECTORY.pages, pages],
    [DIRECTORY.limit, offset],
  ] as const) {
    directory.writeUInt32BE(value, at)
  }
  directory.writeUInt8(SHA256.bytes, DIRECTORY.hashBytes)
  directory.writeUInt8(SHA256.kind, DIRECTORY.hashKind)
  directory.writeUInt8(PAGE_BITS, DIRECTORY.pageBits)
  const programBytes = content.readBigUInt64LE(program + SEGMENT.bytes)
  directory.writeBigUInt64BE(programBytes, DIRECTORY.programLimit)
  directory.writeBigUInt64BE(MAIN_BINARY, DIRECTORY.programFlags)
  name.copy(directory, DIRECTORY.bytes)
  for (const [page, hash] of hashesOf(content).entries()) {
    hash.copy(directory, hashesAt + page * SHA256.bytes)
  }

  blobs.writeUInt32BE(EMBEDDED_SIGNATURE, 0)
  blobs.writeUInt32BE(length, BLOBS.length)
  blobs.writeUInt32BE(1, BLOBS.count)
  blobs.writeUInt32BE(blobs.length, BLOBS.first + BLOBS.offset)
  return Buffer.concat([content, blobs, directory])
}

/** The hash of each page; the last one ends where the content ends. */
function hashesOf(content: Buffer): Buffer[] {
  const starts = Array.from({ length: Math.ceil(content.length / PAGE_BYTES) }, (_, page) => page)
  return starts.map((page) => {
    const bytes = content.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    return new Bun.CryptoHasher('sha256').update(bytes).digest()
  })
}

/** @returns where the load command of the signature is */
function signatureCommand(file: Buffer): number | undefined {
  return commandsOf(file).find((at) => file.readUInt32LE(at) === LC_CODE_SIGNATURE)
}

/** @returns where the load command of a segment is */
function segmentOf(file: Buffer, name: string): number | undefined {
  return commandsOf(file).find((at) => {
    const start = at + SEGMENT.name
    const text = file.toString('latin1', start, start + SEGMENT.nameBytes)
    return file.readUInt32LE(at) === LC_SEGMENT_64 && text.replaceAll('\0', '') === name
  })
}

/** @returns where each load command is */
function commandsOf(file: Buffer): number[] {
  const commands: number[] = []
  let at: number = HEADER.bytes
  for (let left = file.readUInt32LE(HEADER.commands); left > 0; left -= 1) {
    commands.push(at)
    at += file.readUInt32LE(at + COMMAND.bytes)
  }
  return commands
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
