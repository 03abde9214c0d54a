/** Exports and imports shares as a document in File Browser's format (docs/api.md 7). */

import { randomId } from '#server/db/random-id.ts'
import type { StoredShare } from '#server/db/rows/shares.ts'
import type { ImportReport } from '#server/lib/filebrowser-rights.ts'
import { parsePath } from '#wire/paths.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import { importedShareShape } from '#wire/shapes/shapes.ts'
import { TOKEN_BYTES } from './shares.ts'

export interface ImportedShares extends ImportReport {
  shares: StoredShare[]
}

/** All fields of a share, with password hash and token. */
export function exportShares(shares: readonly StoredShare[]): object[] {
  return shares.map(
    ({ hash, path, isFolder, userId, expiresSec, passwordHash, token, ...otherFields }) => ({
      hash,
      path: isFolder && path !== '/' ? `${path}/` : path,
      userID: userId,
      expire: expiresSec,
      ...(passwordHash === '' ? {} : { password_hash: passwordHash, token }),
      ...(otherFields.message && { message: otherFields.message }),
      ...(otherFields.showsOwner && { showOwner: true }),
    }),
  )
}

/**
 * Parses shares; invalid and expired ones are dropped with a reason.
 *
 * @param users the ids of the imported users
 */
export function readShares(
  documents: readonly unknown[],
  users: ReadonlySet<number>,
  nowSec: number,
): ImportedShares {
  const read: ImportedShares = { shares: [], notices: [], problems: [] }
  for (const [index, document] of documents.entries()) {
    const parsed = importedShareShape.safeParse(document)
    if (!parsed.success) {
      read.problems.push(`share ${index + 1}: ${sentenceOf(parsed.error)}`)
      continue
    }
    const { hash, path, userID, expire, password_hash: passwordHash, token } = parsed.data
    const { message, showOwner } = parsed.data
    if (expire !== 0 && expire <= nowSec) {
      read.notices.push(`share ${hash} is dropped: it has expired.`)
    } else if (!users.has(userID)) {
      read.notices.push(`share ${hash} is dropped: its owner, user ${userID}, does not exist.`)
    } else {
      read.shares.push({
        hash,
        userId: userID,
        path: parsePath(path),
        // Set when the share is first opened.
        realPath: undefined,
        target: '',
        lostMs: 0,
        isFolder: path.endsWith('/'),
        expiresSec: expire,
        passwordHash,
        token: passwordHash === '' ? '' : token || randomId(TOKEN_BYTES),
        createdMs: nowSec * 1000,
        visits: 0,
        message,
        showsOwner: showOwner,
      })
    }
  }
  return read
}
