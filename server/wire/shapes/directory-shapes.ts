/** The schemas of requests and responses about directories. */
import { z } from 'zod'
import {
  type DirectoryTest,
  ENTRY_IDS,
  type LoginDirectory,
  type ShownDirectory,
  STANDARD_DIRECTORY,
} from '../api/directory.ts'
import { NEW_ACCOUNTS } from '../api/identity.ts'
import { LIMITS } from '../limits.ts'
import {
  groups,
  outcomeShape,
  providerChangeShape,
  providerId,
  providerText,
  TEXT_MAX,
} from './identity-shapes.ts'
import { removalShape } from './shapes.ts'

/** Characters of a filter or a distinguished name, and of the certificates. */
const FILTER_MAX = 1000
const CA_MAX = 64 * 1024

const long = z.string().trim().max(FILTER_MAX)
/** RFC 4512 section 1.4: a name of an attribute. */
const attribute = z
  .string()
  .trim()
  .max(TEXT_MAX)
  .regex(/^[A-Za-z][\w-]*$/, 'must be the name of an attribute')

const optionsShape = z.object({
  address: long,
  isPlain: z.boolean().default(false),
  ca: z.string().trim().max(CA_MAX).default(''),
  bindDN: long.default(''),
  base: long,
  filter: long.default(STANDARD_DIRECTORY.filter),
  idAttribute: z.enum(ENTRY_IDS).default('entryUUID'),
  nameAttribute: attribute.default(STANDARD_DIRECTORY.nameAttribute),
  groupBase: long.default(''),
  groupFilter: long.default(''),
  adminGroups: groups.default([]),
  loginGroups: groups.default([]),
  newAccounts: z.enum(NEW_ACCOUNTS).default('off'),
  accountGroups: groups.default([]),
})

export const directoryChangeShape = z.object({
  id: providerId,
  label: providerText.min(1),
  bindPassword: z.string().max(LIMITS.passwordLengthMax).optional(),
  isEnabled: z.boolean().default(false),
  options: optionsShape,
})

/** Providers and directories in an export of settings: without their secrets. */
export const exportedIdentityShape = z.object({
  providers: z.array(providerChangeShape.extend({ hasSecret: z.boolean() })).default([]),
  directories: z.array(directoryChangeShape.extend({ hasSecret: z.boolean() })).default([]),
})

export type ExportedIdentity = z.infer<typeof exportedIdentityShape>

export const directoryRequestShape = removalShape.extend({ directory: directoryChangeShape })

/** A user of a directory. Without a password, it is only searched for. */
export const directoryTestRequestShape = z.object({
  directory: directoryChangeShape
    .pick({ bindPassword: true, options: true })
    .meta({
      description: 'the directory as it is typed, before it is saved; absent: as it is stored',
    })
    .optional(),
  username: z.string().max(TEXT_MAX),
  password: z.string().max(LIMITS.passwordLengthMax).default(''),
})

export const directoryLinkShape = removalShape.extend({
  directory: z.string().max(TEXT_MAX),
  username: z.string().max(TEXT_MAX),
  password: z.string().max(LIMITS.passwordLengthMax),
})

export const shownDirectoryShape: z.ZodType<ShownDirectory> = z.object({
  id: z.string(),
  label: z.string(),
})

export const directoryShape: z.ZodType<LoginDirectory> = z.object({
  id: z.string(),
  label: z.string(),
  hasPassword: z.boolean(),
  isEnabled: z.boolean(),
  options: optionsShape,
})

export const directoryTestShape: z.ZodType<DirectoryTest> = z.object({
  dn: z.string(),
  attributes: z.record(z.string(), z.array(z.string())),
  isPasswordRight: z.boolean().optional(),
  outcome: outcomeShape,
})
