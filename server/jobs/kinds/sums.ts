/** Writes the checksums of all files of a folder to a list, and verifies files against such a list (plans/sums-format.ts). */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import { destinationOf } from '#server/archives/member.ts'
import { streamOf } from '#server/archives/streams/stream-of.ts'
import { walkMembers } from '#server/archives/write/archive-walk.ts'
import type { OnLeftOut } from '#server/archives/write/readable.ts'
import { freePath } from '#server/files/free-name.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { childPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { ItemHandler, JobContext } from '../context/job-context.ts'
import { parseSumsLine, SUMS_NAME, sumsLine } from '../plans/sums-format.ts'
import { FailedParts } from './failed-parts.ts'
import { faultOfLeftOut, faultOfPart, LeftOutParts } from './left-out-parts.ts'

/** The list is published when it is complete. */
export const writeChecksums: ItemHandler = async (scope, item, context) => {
  const { path, decision } = item
  if (item.part !== '') throw await faultOfPart(scope, item.part)
  const parts = new LeftOutParts(item)
  const list = childPath(path, SUMS_NAME)
  const target = decision === 'keepBoth' ? await freePath(scope, list) : list
  await scope.fill.run('sums', { from: path, to: path }, (change) =>
    change(async (into) => {
      const lines = streamOf(checksumLines(scope, { folder: path, list, parts }, context))
      await into.write(target, lines, { overwrite: decision === 'replace' })
    }),
  )
  await context.replaceParts(item, parts.items)
  return target
}

/** Each file that does not match becomes a failed item. */
export const verifyChecksums: ItemHandler = async (scope, item, context) => {
  const failed = new FailedParts(item)
  /** Hashes of the names: a file that is listed twice is not read twice. */
  const seen = new Set<string>()
  let matching = 0
  try {
    for await (const line of readLines(scope, childPath(item.path, SUMS_NAME))) {
      context.throwIfStopped()
      const parsed = parseSumsLine(line)
      const name = parsed?.name ?? line.slice(0, NAME_SHOWN)
      if (item.part !== '' && item.part !== name) continue
      try {
        if (!parsed) throw new Fault('unprocessable', 'This line is not a checksum.')
        const key = createHash('sha256').update(name).digest('base64').slice(0, KEY_LENGTH)
        if (seen.has(key))
          throw new Fault('conflict', 'The list contains this name twice.', { reason: 'nameTwice' })
        seen.add(key)
        const digest = await digestOf(scope, destinationOf(name, item.path), context)
        if (digest !== parsed.digest)
          throw new Fault('conflict', 'The content does not match the checksum.', {
            reason: 'checksumWrong',
          })
        matching += 1
        context.meter.done()
      } catch (error) {
        context.throwIfStopped()
        const isOver = !(error instanceof Fault) || (await context.endsJob(error))
        if (isOver || item.part !== '') throw error
        failed.add(name, error)
      }
    }
  } finally {
    context.meter.current = ''
    if (item.part === '') await context.replaceParts(item, failed.items)
  }
  const count = failed.items.length
  if (matching === 0 && count > 0) throw new Fault('unprocessable', noneMatches(count))
  return ''
}

function noneMatches(count: number): string {
  return `${count} of ${count} files ${count === 1 ? 'does' : 'do'} not match the list.`
}

/** The maximum number of characters of an invalid line that a failure shows. */
const NAME_SHOWN = 200
/** Length of a name's hash in `seen`. */
const KEY_LENGTH = 16

async function* checksumLines(
  scope: Scope,
  { folder, list, parts }: { folder: TreePath; list: TreePath; parts: LeftOutParts },
  context: JobContext,
): AsyncGenerator<Uint8Array, void> {
  const root = await scope.stat(folder)
  const never = new AbortController().signal
  const leftOut: OnLeftOut = (path, why) => parts.add(path, faultOfLeftOut(path, why))
  const selection = { base: folder, roots: [root] }
  for await (const { node } of walkMembers(scope, selection, never, leftOut)) {
    context.throwIfStopped()
    if (node.kind !== 'file' || node.path === list) continue
    // The member's own name is for archives: some characters are replaced in it.
    const name = relativePath(node.path, folder).slice(1)
    yield bytesOfName(sumsLine(await digestOf(scope, node.path, context), name))
    context.meter.done()
  }
}

/** @throws Fault forbidden (also without the right to download), notFound, isDirectory, aborted */
async function digestOf(scope: Scope, path: TreePath, context: JobContext): Promise<string> {
  context.meter.next(path)
  const { bytes } = await scope.read(path)
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    context.throwIfStopped()
    hash.update(chunk)
    context.meter.copied(chunk.length)
    context.reportProgress()
  }
  return hash.digest('hex')
}

/** @throws Fault notFound, forbidden, unprocessable for a line that is too long */
async function* readLines(scope: Scope, path: TreePath): AsyncGenerator<string, void> {
  const { bytes } = await scope.read(path)
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of bytes) {
    let unread = Buffer.concat([rest, chunk])
    for (let end = unread.indexOf(0x0a); end >= 0; end = unread.indexOf(0x0a)) {
      yield* lineOf(unread.subarray(0, end))
      unread = unread.subarray(end + 1)
    }
    if (unread.length > SERVER_LIMITS.sumsLineMaxBytes) {
      throw new Fault('unprocessable', `${SUMS_NAME} is not a list of checksums.`)
    }
    rest = unread
  }
  yield* lineOf(rest)
}

function* lineOf(bytes: Uint8Array): Generator<string> {
  const text = nameOfBytes(bytes).replace(/\r$/, '')
  if (text !== '') yield text
}
