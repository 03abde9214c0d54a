/** Checksums of all files of a folder, written into a list and compared with it (wire/sums.ts). */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope.ts'
import { destinationOf } from '#server/extract/member.ts'
import { membersOf } from '#server/files/archive-walk.ts'
import { freePath } from '#server/files/names.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { childPath, relativePath, type TreePath } from '#wire/paths.ts'
import { parseSumsLine, SUMS_NAME, sumsLine } from '#wire/sums.ts'
import { FailedParts } from './failed-parts.ts'
import { streamOf } from './stream-of.ts'
import type { Doing, Work } from './work.ts'

/** Writes the list, which is published when it is whole. */
export const writeSums: Doing = async (scope, { path, decision }, work) => {
  const list = childPath(path, SUMS_NAME)
  const target = decision === 'keepBoth' ? await freePath(scope, list) : list
  await scope.fill.run('sums', { from: path, to: path }, (change) =>
    change(async (into) => {
      const lines = streamOf(linesOf(scope, path, list, work))
      await into.write(target, lines, { overwrite: decision === 'replace' })
    }),
  )
  return target
}

/** Compares each file of the list with it. What is not as it says is an item that failed. */
export const verifySums: Doing = async (scope, item, work) => {
  const failed = new FailedParts(item)
  /** Of names, so that a list reads no file again and again. */
  const seen = new Set<string>()
  let matching = 0
  try {
    for await (const line of readLines(scope, childPath(item.path, SUMS_NAME))) {
      work.goOn()
      const parsed = parseSumsLine(line)
      const name = parsed?.name ?? line.slice(0, NAME_SHOWN)
      if (item.part !== '' && item.part !== name) continue
      try {
        if (!parsed) throw new Fault('unprocessable', 'This line is no checksum.')
        const key = createHash('sha256').update(name).digest('base64').slice(0, KEY_LENGTH)
        if (seen.has(key)) throw new Fault('conflict', 'The list has this name twice.')
        seen.add(key)
        const digest = await digestOf(scope, destinationOf(name, item.path), work)
        if (digest !== parsed.digest) throw new Fault('conflict', 'Its content is another one.')
        matching += 1
        work.meter.done()
      } catch (error) {
        work.goOn()
        if (!(error instanceof Fault) || work.endsJob(error) || item.part !== '') throw error
        failed.add(name, error)
      }
    }
  } finally {
    work.meter.current = ''
    if (item.part === '') work.putParts(item, failed.items)
  }
  failed.mustHaveDone(matching, 'No file is as the list says.')
  return ''
}

const NAME_SHOWN = 200
/** Characters of a digest, enough to tell names apart. */
const KEY_LENGTH = 16

async function* linesOf(
  scope: Scope,
  folder: TreePath,
  list: TreePath,
  work: Work,
): AsyncGenerator<Uint8Array, void> {
  const top = await scope.stat(folder)
  const never = new AbortController().signal
  for await (const { node } of membersOf(scope, { base: folder, tops: [top] }, never)) {
    work.goOn()
    if (node.kind !== 'file' || node.path === list) continue
    // Not the name in an archive, where some signs are others.
    const name = relativePath(node.path, folder).slice(1)
    yield bytesOfName(sumsLine(await digestOf(scope, node.path, work), name))
    work.meter.done()
  }
}

/** @throws Fault forbidden (also without the right to download), notFound, isDirectory, aborted */
async function digestOf(scope: Scope, path: TreePath, work: Work): Promise<string> {
  work.meter.next(path)
  const { bytes } = await scope.read(path)
  const hash = createHash('sha256')
  for await (const part of bytes) {
    work.goOn()
    hash.update(part)
    work.meter.copied(part.length)
    work.changed()
  }
  return hash.digest('hex')
}

/** @throws Fault notFound, forbidden, unprocessable for a line that is too long */
async function* readLines(scope: Scope, path: TreePath): AsyncGenerator<string, void> {
  const { bytes } = await scope.read(path)
  let rest: Uint8Array = new Uint8Array()
  for await (const part of bytes) {
    let whole = Buffer.concat([rest, part])
    for (let end = whole.indexOf(0x0a); end >= 0; end = whole.indexOf(0x0a)) {
      yield* lineOf(whole.subarray(0, end))
      whole = whole.subarray(end + 1)
    }
    if (whole.length > LIMITS.sumsLineMaxBytes) {
      throw new Fault('unprocessable', `${SUMS_NAME} is no list of checksums.`)
    }
    rest = whole
  }
  yield* lineOf(rest)
}

function* lineOf(bytes: Uint8Array): Generator<string> {
  const text = nameOfBytes(bytes).replace(/\r$/, '')
  if (text !== '') yield text
}
