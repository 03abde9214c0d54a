/** Many small files in one request: what is sent with each, and what is answered of each. */
import type { z } from 'zod'
import type { batchResultShape } from './response-shapes.ts'
import type { batchInfoShape } from './shapes.ts'

/** The fields of the form: what is to become of a file, and the file after it. */
export const BATCH_FIELDS = { info: 'info', file: 'file' } as const

export type BatchInfo = z.infer<typeof batchInfoShape>

export type BatchResult = z.infer<typeof batchResultShape>
