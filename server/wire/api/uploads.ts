/** Unfinished uploads as the API lists them. */
import { z } from 'zod'
import { treePathShape } from '../shapes/tree-path-shape.ts'

export const unfinishedUploadShape = z.object({
  id: z.string(),
  username: z.string().meta({ description: 'the owner' }),
  path: treePathShape.meta({
    description: 'as the owner sees it; for administrators in the served folder',
  }),
  size: z.number().meta({ description: 'the declared bytes' }),
  received: z.number().meta({ description: 'the bytes on the disk' }),
  created: z.string().meta({ description: 'RFC 3339' }),
  touched: z.string().meta({ description: 'when the last request ended' }),
  expires: z.string().meta({ description: 'when it is deleted unless it is continued' }),
})

export type UnfinishedUpload = z.infer<typeof unfinishedUploadShape>
