import { z } from 'zod'
import type { TreePath } from '../paths.ts'

/** A path that the server has validated. Two casts: `TreePath` is a string only its own functions create. */
export const treePathShape = z.string() as z.ZodType<string> as z.ZodType<TreePath>
