/** The schemas of request bodies. Unknown fields are dropped or refused. */
import { z } from 'zod'
import { APP_PERMISSIONS } from '../api/app-passwords.ts'
import { SORT_KEYS } from '../api/entry.ts'
import { SECOND_FACTOR_FOR, THEMES } from '../api/settings.ts'
import { VIEW_MODES } from '../api/user.ts'
import { LIMITS } from '../limits.ts'
import { PERMISSIONS, type Permission } from '../permissions.ts'

const textList = z.array(z.string().max(LIMITS.textFieldMax)).max(LIMITS.listMax)

const permissionsShape = z.object(
  // One boolean for each permission.
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

/** File Browser's clients send an empty key for the default order, which is by name. */
const sortingShape = z.object({
  by: z.enum([...SORT_KEYS, '']).transform((by) => by || ('name' as const)),
  asc: z.boolean().default(true),
})

const text = z.string().max(LIMITS.textFieldMax)

/** A language tag, also in File Browser's spellings (`zh-cn`, `sv_se`); empty for the default. */
const languageTag = text.regex(/^(?:[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*)?$/i, 'no language tag')

export const preferencesShape = z.object({
  locale: languageTag,
  viewMode: z.enum(VIEW_MODES),
  singleClick: z.boolean(),
  redirectAfterCopyMove: z.boolean(),
  hideDotfiles: z.boolean(),
  dateFormat: z.boolean(),
  sorting: sortingShape,
  // File Browser's clients add Ace's prefix to the name; scripts often do not.
  aceEditorTheme: text.regex(/^(?:ace\/theme\/)?[\w-]*$/, 'no name of a theme'),
})

export const userShape = preferencesShape
  .extend({
    id: z.number().int(),
    username: text,
    password: text,
    scope: text,
    lockPassword: z.boolean(),
    perm: permissionsShape,
    commands: textList,
    rules: z.array(ruleShape).max(LIMITS.listMax),
  })
  .partial()

export const listedUserShape = userShape.extend({ lastSignIn: z.string() })

/** The envelope of a change of a user (docs/api.md 1.12). */
export const userEnvelope = z.object({
  what: z.literal('user', 'invalid data type'),
  which: textList.nullish().transform((which) => which ?? []),
  current_password: text.default(''),
  data: userShape,
})

/** A new user as in `userEnvelope`, or the id of an existing one. */
export const invitationRequestShape = z.object({
  current_password: text.default(''),
  userID: z.number().int().optional(),
  data: userShape.optional(),
})

/** A name that is written wrongly would give more rights than meant, so unknown ones are refused. */
export const appPasswordRequestShape = z.strictObject({
  current_password: text.default(''),
  name: text,
  application: text.default(''),
  permissions: z.array(z.enum(APP_PERMISSIONS)).max(APP_PERMISSIONS.length),
  folder: z.string().default('/'),
  expires: z
    .union([z.literal(''), z.iso.datetime({ offset: true })])
    .default('')
    .meta({ description: 'RFC 3339; empty: it does not end' }),
})

export const appPasswordChangeShape = z.object({ paused: z.boolean() })

export const removalShape = z.object({ current_password: text.default('') })

/** Characters of a text in the response of a browser. Attestations of a chip are the longest. */
const credentialText = z.string().max(16_384)

/** What a passkey has signed (WebAuthn level 3: AuthenticationResponseJSON). Extensions are ignored. */
export const passkeyAssertionShape = z.object({
  id: credentialText,
  rawId: credentialText,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: credentialText,
    authenticatorData: credentialText,
    signature: credentialText,
    userHandle: credentialText.nullish().transform((handle) => handle ?? ''),
  }),
  clientExtensionResults: z.object({}).default({}),
})

export const newPasskeyBodyShape = z.object({
  name: text,
  /** A new passkey (WebAuthn level 3: RegistrationResponseJSON). */
  credential: z.object({
    id: credentialText,
    rawId: credentialText,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: credentialText,
      attestationObject: credentialText,
      transports: z.array(z.string().max(20)).max(10).default([]),
    }),
    clientExtensionResults: z.object({}).default({}),
  }),
})

export const passkeyChangeShape = z.object({ name: text })

/** Accepts numbers where File Browser's clients send texts. */
const numberText = z.union([text, z.number().transform(String)])

const shareMessage = z.string().max(LIMITS.shareMessageMax)

export const newShareShape = z
  .object({
    password: text,
    expires: numberText,
    unit: text,
    message: shareMessage,
    showOwner: z.boolean(),
  })
  .partial()

/** A stored share in File Browser's format; `password_hash` and `token` are empty without a password. */
export const importedShareShape = z.object({
  hash: text.regex(/^[\w-]+$/, 'no address of a share'),
  path: text,
  userID: z.number().int(),
  expire: z.number().int().default(0),
  password_hash: text.default(''),
  token: text.default(''),
  message: shareMessage.default(''),
  showOwner: z.boolean().default(false),
})

const count = z.number().int().min(0)

/** Settings from an administrator; absent fields keep their value. */
export const settingsShape = z
  .object({
    signup: z.boolean(),
    hideLoginButton: z.boolean(),
    createUserDir: z.boolean(),
    minimumPasswordLength: count.max(LIMITS.passwordLengthMax),
    userHomeBasePath: text,
    publicAddress: text,
    passwordHelp: z.string().max(LIMITS.passwordHelpMax),
    secondFactorFor: z.enum(SECOND_FACTOR_FOR),
    secondFactorFrom: z.union([z.literal(''), z.iso.date()]),
    defaults: preferencesShape
      .extend({ scope: text, perm: permissionsShape, commands: textList })
      .partial(),
    rules: z.array(ruleShape).max(LIMITS.listMax),
    branding: z
      .object({
        name: text,
        disableExternal: z.boolean(),
        disableUsedPercentage: z.boolean(),
        files: text,
        theme: z.enum(THEMES),
        color: text,
      })
      .partial(),
    tus: z.object({ chunkSize: count, retryCount: count.max(LIMITS.retryMax) }).partial(),
    shell: textList,
    commands: z.record(z.string(), textList),
  })
  .partial()

/** The metadata of the next file in a batch. */
export const batchInfoShape = z.object({
  /** The path below the folder of the request. */
  path: z.string().min(1),
  /** The modification time in milliseconds since 1970. */
  modified: z.number().finite().optional(),
  /** Replace an existing file. */
  override: z.boolean().optional(),
})
