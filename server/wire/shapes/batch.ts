/** Uploads of many small files in one request: the metadata and the result of each file. */
import type { z } from 'zod'
import type { batchResultShape } from './response-shapes.ts'
import type { batchInfoShape } from './shapes.ts'

/** The names of the form's fields: a file's metadata, followed by the file. */
export const BATCH_FIELDS = { info: 'info', file: 'file' } as const

export type BatchInfo = z.infer<typeof batchInfoShape>

export type BatchResult = z.infer<typeof batchResultShape>
