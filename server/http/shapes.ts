/** The shapes of request bodies. They parse the input; nothing that is not named here gets in. */
import { z } from 'zod'
import { SORT_KEYS } from '#wire/entry.ts'
import { LIMITS } from '#wire/limits.ts'
import { PERMISSIONS, type Permission } from '#wire/permissions.ts'
import { VIEW_MODES } from '#wire/user.ts'

const words = z.array(z.string().max(LIMITS.textFieldMax)).max(LIMITS.listMax)

export const permissionsShape = z.object(
  // The table's keys, each a switch.
  Object.fromEntries(PERMISSIONS.map((name) => [name, z.boolean().default(false)])) as Record<
    Permission,
    z.ZodDefault<z.ZodBoolean>
  >,
)

export const ruleShape = z.object({
  regex: z.boolean().default(false),
  allow: z.boolean().default(false),
  path: z.string().default(''),
  regexp: z.object({ raw: z.string() }).nullable().default(null),
})

/** File Browser's clients send an empty key for "as it comes", which is by name. */
export const sortingShape = z.object({
  by: z.enum([...SORT_KEYS, '']).transform((by) => by || ('name' as const)),
  asc: z.boolean().default(true),
})

const text = z.string().max(LIMITS.textFieldMax)

export const preferencesShape = z.object({
  locale: text,
  viewMode: z.enum(VIEW_MODES),
  singleClick: z.boolean(),
  redirectAfterCopyMove: z.boolean(),
  hideDotfiles: z.boolean(),
  dateFormat: z.boolean(),
  sorting: sortingShape,
  aceEditorTheme: text,
})

export const userShape = preferencesShape
  .extend({
    id: z.number().int(),
    username: text,
    password: text,
    scope: text,
    lockPassword: z.boolean(),
    perm: permissionsShape,
    commands: words,
    rules: z.array(ruleShape).max(LIMITS.listMax),
  })
  .partial()

/** The envelope around a change of a user (contract 1.12). */
export const userEnvelope = z.object({
  what: z.literal('user', 'invalid data type'),
  which: words.nullish().transform((which) => which ?? []),
  current_password: text.default(''),
  data: userShape,
})

export const removalShape = z.object({ current_password: text.default('') })
