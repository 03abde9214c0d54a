/** Reads archives with the system's own programs, and compares folders with the extracted content. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { ARCHIVE_FORMATS } from '#server/archives/codecs/archive-formats.ts'
import { CrcCache } from '#server/archives/write/crc-cache.ts'
import { archive, selectMembers } from '#server/archives/write/write-archive.ts'
import type { ByteStream } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Rule } from '#wire/api/user.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { NO_SHARES } from '../storage/path-listener.ts'
import { unsnap } from './snappy.ts'

export const FORMAT_NAMES = Object.keys(ARCHIVE_FORMATS) as ArchiveFormatName[]

/** A scope on the whole tree with the download right, and no other rights than the given ones. */
export function scopeOn(
  tree: Storage,
  options: { perm?: Permission[]; rules?: Rule[]; hideDotfiles?: boolean } = {},
): Scope {
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf(...(options.perm ?? ['download'])),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: options.rules ?? [],
    hideDotfiles: options.hideDotfiles ?? false,
  }
  return new Scope(tree, actor, NO_SHARES, async () => undefined)
}

/** The archive of these names, not yet read. */
export async function archiveOf(
  scope: Scope,
  format: ArchiveFormatName,
  ...names: string[]
): Promise<ByteStream> {
  const selection = await selectMembers(scope, names.map(parsePath))
  return (
    await archive(scope, selection, ARCHIVE_FORMATS[format], { crcCache: new CrcCache() })
  ).bytes()
}

/** The bytes of the archive of these names. */
export async function archived(
  scope: Scope,
  format: ArchiveFormatName,
  ...names: string[]
): Promise<Uint8Array> {
  return new Response(await archiveOf(scope, format, ...names)).bytes()
}

/** Reads a stream to its end. `Response` and `Array.fromAsync` never end for a stream that fails. */
export async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
  }
  return Buffer.concat(chunks)
}

/** How each format is decompressed to its tar; no system program reads snappy's framing format. */
const DECODERS: Record<Exclude<ArchiveFormatName, 'zip' | 'tar'>, string[] | typeof unsnap> = {
  targz: ['gzip', '-dc'],
  tarbz2: ['bzip2', '-dc'],
  tarxz: ['xz', '-dc'],
  tarlz4: ['lz4', '-dc'],
  tarsz: unsnap,
  tarbr: ['brotli', '-dc'],
  tarzst: ['zstd', '-dc'],
}

/**
 * Extracts an archive into `folder`.
 *
 * @throws Error with the program's error message
 */
export async function unpack(
  format: ArchiveFormatName,
  archive: Uint8Array,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  if (format === 'zip') {
    const file = `${folder}.zip`
    writeFileSync(file, archive)
    // Without -^ unzip changes control characters in names.
    await run(['unzip', '-q', '-^', file, '-d', folder])
    return
  }
  await run(['tar', '-xpf', '-', '-C', folder], await untarred(format, archive))
}

/** Decompresses to the tar inside. */
export async function untarred(
  format: ArchiveFormatName,
  archive: Uint8Array,
): Promise<Uint8Array> {
  if (format === 'zip' || format === 'tar') return archive
  const decoder = DECODERS[format]
  return Array.isArray(decoder) ? run(decoder, archive) : decoder(archive)
}

/** The names in an archive as they are stored; folders end with a slash. */
export async function namesIn(format: ArchiveFormatName, archive: Uint8Array): Promise<string[]> {
  const listed =
    format === 'zip'
      ? await run(['unzip', '-Z1', '/dev/stdin'], archive)
      : await run(['tar', '--quoting-style=literal', '-tf', '-'], await untarred(format, archive))
  return Buffer.from(listed).toString().split('\n').filter(Boolean).sort()
}

/**
 * The content of a folder: names in the form of archives, each with the metadata that an archive must preserve.
 * Modification times are in whole seconds.
 */
export function treeOf(folder: string): Map<string, string> {
  const tree = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name)
    const { mode, mtimeMs } = lstatSync(path)
    const isFolder = lstatSync(path).isDirectory()
    const bytes = isFolder ? 'folder' : createHash('sha1').update(readFileSync(path)).digest('hex')
    tree.set(
      name.replaceAll('\\', '_'),
      `${(mode & 0o777).toString(8)} ${Math.floor(mtimeMs / 1000)} ${bytes}`,
    )
  }
  return tree
}

async function run(command: string[], input?: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn(command, {
    stdin: input ?? 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
  })
  const [out, output, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`)
  return out
}
