/** The schemas of JSON responses, for the API description. If a response has a type, the compiler checks the two. */
import { z } from 'zod'
import { APP_PERMISSIONS, type AppPassword, type NewAppPassword } from '../api/app-passwords.ts'
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  type ListedAuditEntry,
  UNDO_OBSTACLES,
} from '../api/audit.ts'
import type { Entry, FileEntry, FlatEntry, Listing, UserUsage } from '../api/entry.ts'
import { ENTRY_TYPES, FLAT_LEFT_OUT, SORT_KEYS } from '../api/entry.ts'
import type { Found, FoundTexts } from '../api/find.ts'
import type { SessionInfo } from '../api/session.ts'
import { LOST_SHARES, type Share } from '../api/share.ts'
import { treePathShape } from './tree-path-shape.ts'

const entryFields = {
  path: treePathShape,
  name: z.string(),
  size: z.number(),
  extension: z.string(),
  modified: z.string().meta({ format: 'date-time' }),
  mode: z.number().meta({
    description: 'permission bits, with the file type in the high bits as in Go’s fs.FileMode',
  }),
  isDir: z.boolean(),
  isSymlink: z.boolean(),
  type: z.enum(ENTRY_TYPES),
  totalSize: z
    .number()
    .meta({ description: 'of a folder: bytes of all files in it and in its subfolders' })
    .exactOptional(),
  listOnly: z
    .literal(true)
    .meta({
      description:
        'a rule denies this folder; it leads to an allowed one, and cannot be changed or shared',
    })
    .exactOptional(),
  leadsOutside: z
    .literal(true)
    .meta({ description: 'a link that leads outside the root, which only administrators see' })
    .exactOptional(),
  subtitles: z.array(z.string()).readonly().exactOptional(),
}

export const entryShape: z.ZodType<Entry> = z.object(entryFields)

export const fileShape: z.ZodType<FileEntry> = z.object({
  ...entryFields,
  content: z.string().exactOptional(),
  checksums: z
    .object({
      md5: z.string().exactOptional(),
      sha1: z.string().exactOptional(),
      sha256: z.string().exactOptional(),
      sha512: z.string().exactOptional(),
    })
    .exactOptional(),
  resolution: z.object({ width: z.number(), height: z.number() }).exactOptional(),
})

export const listingShape: z.ZodType<Listing> = z.object({
  ...entryFields,
  items: z.array(z.object(entryFields)),
  numDirs: z.number(),
  numFiles: z.number(),
  sorting: z.object({ by: z.enum(SORT_KEYS), asc: z.boolean() }),
  foldsCase: z.literal(true).exactOptional(),
})

export const flatListShape: z.ZodType<FlatEntry[]> = z.array(
  z.object({
    path: treePathShape,
    name: z.string(),
    size: z.number(),
    modified: z.string(),
    isDir: z.boolean(),
    leftOut: z.enum(FLAT_LEFT_OUT).optional().meta({
      description: 'why an archive would not contain it, or not its content',
    }),
  }),
)

export const usageShape: z.ZodType<UserUsage> = z.object({
  total: z.number(),
  used: z.number(),
  free: z.number(),
  removedFromTrash: z.number().optional(),
  trash: z.object({ bytes: z.number(), freeBytes: z.number() }).optional(),
})

export const shareShape: z.ZodType<Share> = z.object({
  hash: z.string(),
  path: z.string(),
  userID: z.number(),
  expire: z
    .number()
    .meta({ description: 'seconds since 1970; 0 means that the share does not expire' }),
  hasPassword: z.boolean(),
  visits: z.number().meta({ description: 'how often the page or the download URL was opened' }),
  message: z.string().exactOptional(),
  showOwner: z.boolean().exactOptional(),
  username: z.string().exactOptional(),
  lost: z.enum(LOST_SHARES).exactOptional().meta({
    description:
      'why visitors see nothing: nothing has the name, or something else, which is not shared; only in lists',
  }),
})

export const sessionShape: z.ZodType<SessionInfo> = z.object({
  id: z.string(),
  userID: z.number(),
  username: z.string().exactOptional(),
  created: z.string(),
  seen: z.string(),
  expires: z.string(),
  address: z.string(),
  agent: z.string(),
  current: z.boolean(),
})

export const auditShape = z.object({
  id: z.number(),
  time: z.string(),
  username: z.string(),
  session: z.string(),
  address: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  path: z.string(),
  to: z.string(),
  whom: z.string(),
  bytes: z.number(),
  status: z.number(),
  share: z.string(),
  times: z.number(),
  entry: z.number(),
  undoneBy: z.number(),
  fault: z.string(),
  sharePath: z.string(),
  app: z.string(),
}) satisfies z.ZodType<AuditEntry>

export const listedAuditShape = auditShape.extend({
  undoObstacle: z.enum(['', ...UNDO_OBSTACLES]),
  pathExists: z.boolean(),
  toExists: z.boolean(),
}) satisfies z.ZodType<ListedAuditEntry>

/** The result for one file of a batch. */
export const batchResultShape = z.object({
  /** The path of the file; that of the folder in the URL if the client sent no valid path. */
  path: z.string(),
  /** The HTTP status that a separate request for this file would have received. */
  status: z.number(),
  /** The ETag of the new content. */
  etag: z.string().optional(),
  /** The fault's code and message; absent if the file was written. */
  code: z.string().optional(),
  message: z.string().optional(),
  fault: z
    .string()
    .optional()
    .meta({ description: 'the value that `X-Fault` would have: the code, reason and numbers' }),
  /** The journal entry, which can be undone. */
  entry: z.number().optional(),
})

/** The results in the order of the files. */
export const batchAnswerShape = z.object({ results: z.array(batchResultShape) })

const isSilent = z
  .boolean()
  .exactOptional()
  .meta({ description: 'a disk does not respond, so that more may exist' })

export const foundShape: z.ZodType<Found> = z.object({
  hits: z.array(entryShape),
  total: z.number().meta({ description: 'how many there are in all; at least, if `isPartial`' }),
  isPartial: z
    .boolean()
    .meta({ description: 'a limit was reached before everything was searched' }),
  isSilent,
  hasSimilar: z.boolean().exactOptional().meta({
    description: 'with `exact`: few were found, and a search without it finds similar names too',
  }),
})

export const foundTextsShape: z.ZodType<FoundTexts> = z.object({
  hits: z.array(z.object({ ...entryFields, line: z.number(), excerpt: z.string() })),
  isPartial: z.boolean().meta({ description: 'only a part of the files was read' }),
  isSilent,
})

const appPasswordFields = {
  id: z.number(),
  userID: z.number(),
  username: z.string().exactOptional(),
  name: z.string(),
  application: z.string(),
  permissions: z.array(z.enum(APP_PERMISSIONS)),
  folder: z.string(),
  isLost: z.literal(true).exactOptional(),
  paused: z.boolean(),
  created: z.string(),
  expires: z.string(),
  used: z.string(),
  address: z.string(),
  agent: z.string(),
}

export const appPasswordShape: z.ZodType<AppPassword> = z.object(appPasswordFields)

export const newAppPasswordShape: z.ZodType<NewAppPassword> = z.object({
  ...appPasswordFields,
  password: z.string(),
})
