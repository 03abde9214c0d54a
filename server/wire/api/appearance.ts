/** A user's settings for the look of the interface, on all devices (docs/api.md 30). */
import { z } from 'zod'

/** A field is absent until the user has chosen it; then the interface uses its default. */
export const appearanceShape = z.object({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  /** The row height of folders without their own view. */
  density: z.enum(['comfortable', 'compact']).optional(),
  /** Optional columns of the list. */
  typeColumn: z.boolean().optional(),
  sharedColumn: z.boolean().optional(),
  /** Whether rows of folders show the size of what they contain. */
  folderSizes: z.boolean().optional(),
})

export type Appearance = z.infer<typeof appearanceShape>
