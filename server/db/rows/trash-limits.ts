/** Queries for the limits of the trash: which items are deleted first, and how many bytes that frees. */
import type { Database } from '../database.ts'
import { BROUGHT_BY, type BroughtBy } from './brought-in.ts'
import { DONE, type StoredTrashItem, TRASH, type TrashRow, toTrashItem } from './trash-items.ts'

/** The minimum size of an item: a name and a disk block. */
const ROW_BYTES = 4096
/** SQL for the bytes on the disk that an item counts as. */
const DISK_BYTES = `CASE WHEN disk_bytes > ${ROW_BYTES} THEN disk_bytes ELSE ${ROW_BYTES} END`
/**
 * SQL for who brought an item in. With a deleted file its versions leave the trash, so the item is as worthy of protection as
 * the most protected of them.
 */
const BROUGHT = `CASE WHEN role = 'trash' THEN coalesce((SELECT max(v.brought_by) FROM kept v
    WHERE v.deleted_with = kept.id AND v.deleted_with <> 0 AND v.brought_by > kept.brought_by), brought_by)
  ELSE brought_by END`
/** SQL: whether a write of a user may remove an item, if the disk is full. */
const REMOVABLE = `user_id = $userId AND at_ms < $ownBeforeMs AND ${BROUGHT} < ${BROUGHT_BY.other} OR at_ms < $beforeMs`
/** The number of rows that are read at once. */
const PAGE = 256

/** SQL: whether the user who replaced a version had written it, as far as the journal knows. */
const IS_OWN = `EXISTS (SELECT 1 FROM journal_steps s CROSS JOIN journal_steps p CROSS JOIN journal j
  WHERE p.path = s.path AND p.after = s.before AND p.entry < s.entry AND j.id = p.entry
    AND s.entry = kept.entry AND s.kept = kept.name AND j.user_id = kept.user_id AND j.root = kept.root)`

/** The id of no user. */
const NO_USER = -1
const EVERYTHING = { userId: undefined, ownBeforeMs: 0, beforeMs: Number.MAX_SAFE_INTEGER }

/** `deleted_with` of versions whose file was deleted permanently. Those of present files have 0. */
export const DELETED_PERMANENTLY = -1

/** Conditions on items; absent ones match all. */
export interface ItemFilter {
  /** The trash folder. */
  trash?: string | undefined
  /** Who deleted or replaced them. */
  userId?: number | undefined
  /** Only items that were deleted before this time. */
  beforeMs?: number | undefined
  /** Who brought them in. */
  broughtBy?: BroughtBy | undefined
}

export class TrashLimitRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @returns all items of finished entries, oldest first; those that match, if a condition is given */
  async *oldestFirst(
    root: string,
    { trash, userId, beforeMs, broughtBy }: ItemFilter = {},
  ): AsyncGenerator<StoredTrashItem> {
    const query = this.#db.query<TrashRow, Record<string, string | number | null>>(
      `SELECT * FROM kept WHERE root = $root AND id > $after AND ${DONE}
         ${trash === undefined ? '' : `AND ${TRASH} = $trash`}
         ${userId === undefined ? '' : 'AND user_id = $userId'}
         ${beforeMs === undefined ? '' : 'AND at_ms < $beforeMs'}
         ${broughtBy === undefined ? '' : `AND ${BROUGHT} = $broughtBy`}
       ORDER BY id LIMIT ${PAGE}`,
    )
    const values = definedOf({ root, trash, userId, beforeMs, broughtBy })
    for (let after = 0; ; ) {
      const page = await query.all({ ...values, after })
      for (const row of page) yield toTrashItem(row)
      const last = page.at(-1)
      if (!last || page.length < PAGE) return
      after = last.id
    }
  }

  /**
   * @param last the last of `BROUGHT_BY` that is included; all by default
   * @returns items of one user in the order in which they leave: first what this user had brought in, oldest first
   */
  async *leavingFirst(
    root: string,
    filter: Omit<ItemFilter, 'broughtBy'> & { userId: number },
    last: BroughtBy = BROUGHT_BY.other,
  ): AsyncGenerator<StoredTrashItem> {
    for (const broughtBy of Object.values(BROUGHT_BY)) {
      if (broughtBy <= last) yield* this.oldestFirst(root, { ...filter, broughtBy })
    }
  }

  /** @returns some of the oldest items of the user with the most, if there are more than the limit in total */
  async beyond(root: string, countMax: number): Promise<StoredTrashItem[]> {
    const count = 'SELECT count(*) AS count FROM kept WHERE root = ?'
    const all = (await this.#db.query<{ count: number }, [string]>(count).get(root))?.count ?? 0
    if (all <= countMax) return []
    return (
      await this.#db
        .query<TrashRow, [string, number]>(
          `SELECT * FROM kept WHERE root = ?1 AND ${DONE} AND user_id =
           (SELECT user_id FROM kept WHERE root = ?1 GROUP BY user_id ORDER BY count(*) DESC LIMIT 1)
         ORDER BY ${BROUGHT}, id LIMIT ?2`,
        )
        .all(root, Math.min(all - countMax, PAGE))
    ).map(toTrashItem)
  }

  /** The id of the newest row before which all belong to finished changes: the others do not count yet. */
  async newestFinished(root: string): Promise<number> {
    const query = this.#db.query<{ id: number | null }, [string]>(
      `SELECT coalesce(
         (SELECT min(kept.id) - 1 FROM journal AS j JOIN kept ON kept.entry = j.id WHERE j.root = ?1 AND j.is_done = 0),
         (SELECT max(id) FROM kept WHERE root = ?1)) AS id`,
    )
    return (await query.get(root))?.id ?? 0
  }

  /**
   * Of the older half of the versions of a file, those that a user replaced by new content of the same user are beyond the
   * limit first, so that many saves do not push out what was there before.
   *
   * @param after only files with a version of a higher id
   * @returns the versions beyond the limit for a file, and all versions of permanently deleted files, oldest first
   */
  async versionsBeyond(root: string, count: number, after: number): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, [string, number, number]>(
          `SELECT * FROM (
           SELECT *, row_number() OVER (PARTITION BY path, deleted_with
             ORDER BY age > (?2 + 1) / 2, age > (?2 + 1) / 2 AND is_own, id DESC) AS ordinal
           FROM (SELECT *, row_number() OVER (of_file ORDER BY id DESC) AS age,
               coalesce(lag(user_id) OVER (of_file ORDER BY id), ${NO_USER}) = user_id OR ${IS_OWN} AS is_own
             FROM kept WHERE root = ?1 AND role = 'version' AND deleted_with >= 0 AND ${DONE} AND path IN
               (SELECT path FROM kept WHERE root = ?1 AND role = 'version' AND id > ?3)
             WINDOW of_file AS (PARTITION BY path, deleted_with)) AS aged) AS numbered
         WHERE ordinal > ?2
         UNION ALL SELECT *, 0, 1 = 0, 0 FROM kept WHERE root = ?1 AND deleted_with = ${DELETED_PERMANENTLY}
         ORDER BY id`,
        )
        .all(root, count, after)
    ).map(toTrashItem)
  }

  /**
   * @returns the oldest versions of files whose versions together occupy more than the limit. The newest version of a
   *   file is not among them.
   */
  async largeVersions(
    root: string,
    trash: string,
    bytes: number,
    beforeMs: number,
  ): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, Record<string, string | number>>(
          `SELECT * FROM (
           SELECT *, row_number() OVER newest_first AS age, sum(${DISK_BYTES}) OVER newest_first AS total
           FROM kept WHERE root = $root AND ${TRASH} = $trash AND role = 'version' AND ${DONE}
           WINDOW newest_first AS (PARTITION BY path, deleted_with ORDER BY id DESC)) AS summed
         WHERE age > 1 AND total > $bytes AND at_ms < $beforeMs ORDER BY id`,
        )
        .all({ root, trash, bytes, beforeMs })
    ).map(toTrashItem)
  }

  /**
   * How many bytes the items of a user in a trash folder occupy, and how many of them `diskBytes` counts with the same limits.
   */
  async ownDiskBytes(
    root: string,
    trash: string,
    only: { userId: number; ownBeforeMs: number; beforeMs: number },
  ): Promise<{ bytes: number; freeBytes: number }> {
    const row = await this.#db
      .query<{ bytes: number | null; free: number | null }, Record<string, string | number>>(
        `SELECT CAST(sum(${DISK_BYTES}) AS BIGINT) AS bytes,
           CAST(sum(CASE WHEN ${REMOVABLE} THEN ${DISK_BYTES} ELSE 0 END) AS BIGINT) AS free
         FROM kept WHERE root = $root AND ${TRASH} = $trash AND user_id = $userId`,
      )
      .get({ root, trash, ...only })
    return { bytes: row?.bytes ?? 0, freeBytes: row?.free ?? 0 }
  }

  /**
   * How many bytes the deletion of items in a trash folder frees, as far as they are measured.
   *
   * @param only the items of a user that others are not known to have brought in and that were deleted before `ownBeforeMs`,
   *   and those of all users that were deleted before `beforeMs`; all without it
   */
  async diskBytes(
    root: string,
    trash: string,
    only: { userId: number | undefined; ownBeforeMs: number; beforeMs: number } = EVERYTHING,
  ): Promise<number> {
    const { userId = NO_USER, ownBeforeMs, beforeMs } = only
    return (
      (
        await this.#db
          .query<{ bytes: number | null }, Record<string, string | number>>(
            `SELECT CAST(sum(${DISK_BYTES}) AS BIGINT) AS bytes FROM kept
           WHERE root = $root AND ${TRASH} = $trash AND (${REMOVABLE})`,
          )
          .get({ root, trash, userId, ownBeforeMs, beforeMs })
      )?.bytes ?? 0
    )
  }

  /** @returns how many bytes the items of each user in a trash folder occupy. Key: the id of the user. */
  async diskBytesByUser(root: string, trash: string): Promise<Map<number, number>> {
    const rows = await this.#db
      .query<{ user_id: number; bytes: number }, [string, string]>(
        `SELECT user_id, CAST(sum(${DISK_BYTES}) AS BIGINT) AS bytes FROM kept
         WHERE root = ? AND ${TRASH} = ? GROUP BY user_id`,
      )
      .all(root, trash)
    return new Map(rows.map(({ user_id, bytes }) => [user_id, bytes]))
  }

  async unmeasured(root: string): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, [string]>(
          `SELECT * FROM kept WHERE root = ? AND disk_bytes < 0 AND ${DONE}`,
        )
        .all(root)
    ).map(toTrashItem)
  }

  /** @returns some items without a record on the disk, oldest first */
  async unrecorded(root: string, limit: number): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, [string, number]>(
          `SELECT * FROM kept WHERE root = ? AND is_recorded = 0 AND ${DONE} ORDER BY id LIMIT ?`,
        )
        .all(root, limit)
    ).map(toTrashItem)
  }

  /** @returns files that counted as nothing on the disk: most had another name, which may be gone since */
  async shared(root: string): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, [string]>(
          `SELECT * FROM kept WHERE root = ? AND disk_bytes = 0 AND size_bytes > 0 AND is_folder = 0 AND ${DONE}`,
        )
        .all(root)
    ).map(toTrashItem)
  }
}

/** The minimum size of an item on the disk. */
export function diskSizeOf({ diskBytes }: Pick<StoredTrashItem, 'diskBytes'>): number {
  return Math.max(diskBytes, ROW_BYTES)
}

/** @returns the properties that are not undefined: a query refuses values that it does not use */
function definedOf(
  values: Record<string, string | number | undefined>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
