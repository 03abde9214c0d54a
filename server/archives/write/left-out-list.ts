/** The file in an archive that lists what the archive does not contain. */
import { createHash } from 'node:crypto'
import { printable } from '#server/lib/printable.ts'
import type { LeftOutReason, Node } from '#server/storage/node.ts'
import { numberedName } from '#wire/free-names.ts'
import { displayName } from '#wire/names.ts'
import { joinPath, relativePath, type TreePath } from '#wire/paths.ts'
import type { NamedNode } from './archive-walk.ts'
import { SMALL_FILE_BYTES } from './file-contents.ts'

const NAME = 'Not included.txt'
/** Names that may be equal to the name of the list, or to one with a number. */
const SIMILAR = /^not included(?:\(\d+\))?\.txt$/i
/** The longest list; the rest is counted. It is a small file of the archive, so that its checksum needs no second pass. */
const LIST_MAX_BYTES = SMALL_FILE_BYTES - 1024

/**
 * Adds a list of what was left out to the end of an archive. A download is a navigation of the browser, and a tar is listed
 * while it is sent, so nothing else tells the person who opens the archive.
 *
 * @param leftOut what was left out so far; complete when `members` has ended
 */
export async function* withLeftOutList(
  members: AsyncIterable<NamedNode>,
  { base, roots }: { base: TreePath; roots: readonly Node[] },
  leftOut: ReadonlyMap<TreePath, LeftOutReason>,
): AsyncGenerator<NamedNode> {
  const taken = new Set<string>()
  for await (const member of members) {
    if (SIMILAR.test(member.name)) taken.add(member.name.toLowerCase())
    yield member
  }
  if (leftOut.size === 0) return
  let name = NAME
  for (let number = 1; taken.has(name.toLowerCase()); number += 1) name = numberedName(NAME, number)
  const bytes = Buffer.from(textOf(leftOut, base))
  const path = joinPath(base, name)
  const node = {
    path,
    real: path,
    kind: 'file',
    isLink: false,
    sizeBytes: bytes.length,
    // Not the current time: the archive of the same files has the same bytes, so that a download can be resumed.
    modifiedMs: roots[0]?.modifiedMs ?? 0,
    mode: 0o644,
    version: createHash('sha256').update(bytes).digest('hex'),
    identity: '',
    foldsCase: false,
  } as const
  yield { name, node, bytes }
}

/** The paragraphs of the list, and the heading of each. */
const HEADINGS: Record<LeftOutReason, string> = {
  unreadable: 'The server’s account may not read:',
  link: 'Links that lead outside, to nothing or to themselves, and further links to a folder:',
  special: 'Pipes, sockets and devices:',
  reserved: 'Names that are reserved for snapshots:',
  denied: 'You do not have access to:',
}

function textOf(leftOut: ReadonlyMap<TreePath, LeftOutReason>, base: TreePath): string {
  const { size } = leftOut
  const lines = [
    size === 1 ? '1 item is not in this archive.' : `${size} items are not in this archive.`,
  ]
  let [listed, length] = [0, 0]
  for (const [reason, heading] of Object.entries(HEADINGS)) {
    const paths = [...leftOut.keys()].filter((path) => leftOut.get(path) === reason)
    if (paths.length === 0) continue
    lines.push('', heading)
    for (const path of paths.toSorted()) {
      const line = printable(displayName(relativePath(path, base).slice(1), '%'))
      length += Buffer.byteLength(line) + 1
      if (length > LIST_MAX_BYTES) break
      lines.push(line)
      listed += 1
    }
  }
  if (listed < size) lines.push('', `${size - listed} more items are not listed here.`)
  return `${lines.join('\n')}\n`
}
