/** Many small files in one request: what is sent with each, and what is answered of each. */
import { z } from 'zod'

/** The fields of the form: what is to become of a file, and the file after it. */
export const BATCH_FIELDS = { info: 'info', file: 'file' } as const

/** What a request says of the file that follows. */
export const batchInfoShape = z.object({
  /** Where it goes, below the folder of the request. */
  path: z.string().min(1),
  /** The file's time, in milliseconds since 1970. */
  modified: z.number().finite().optional(),
  /** Replaces a file that is there. */
  override: z.boolean().optional(),
})

export type BatchInfo = z.infer<typeof batchInfoShape>

/** What became of one file. */
export const batchResultShape = z.object({
  /** Where it went, or was to go; the folder of the request where that could be no path. */
  path: z.string(),
  /** As of a request of its own: 200, or that of the refusal. */
  status: z.number(),
  /** Names the new content. */
  etag: z.string().optional(),
  /** Why it was refused. */
  code: z.string().optional(),
  message: z.string().optional(),
})

export type BatchResult = z.infer<typeof batchResultShape>

/** In the order in which the files came. */
export const batchAnswerShape = z.object({ results: z.array(batchResultShape) })
