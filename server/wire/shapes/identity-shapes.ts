/** The schemas of requests and responses about OpenID Connect providers. */
import { z } from 'zod'
import {
  ADMIN_REASONS,
  type BegunFlow,
  type Discovered,
  type LinkedIdentity,
  type LoginOutcome,
  type LoginProviders,
  NEW_ACCOUNTS,
  type Provider,
  type ProviderTest,
  STANDARD_OPTIONS,
} from '../api/identity.ts'
import { LIMITS } from '../limits.ts'
import { removalShape } from './shapes.ts'

/** Characters of one text of a provider, and of the address of an issuer. */
export const TEXT_MAX = 200
const ADDRESS_MAX = 500
/** Groups in one list. */
const GROUPS_MAX = 100

export const providerText = z.string().trim().max(TEXT_MAX)
export const groups = z.array(providerText.min(1)).max(GROUPS_MAX)

/** A part of the redirect address; `providers` and `directories` are the paths of the lists. */
export const providerId = z
  .string()
  .regex(
    /^(?!providers$|directories$)[a-z0-9][a-z0-9-]{0,31}$/,
    'must be 1 to 32 of a-z, 0-9 and -',
  )

const optionsShape = z.object({
  scopes: providerText.default(STANDARD_OPTIONS.scopes),
  nameClaim: providerText.min(1).default(STANDARD_OPTIONS.nameClaim),
  groupsClaim: providerText.default(STANDARD_OPTIONS.groupsClaim),
  adminGroups: groups.default([]),
  loginGroups: groups.default([]),
  newAccounts: z.enum(NEW_ACCOUNTS).default('off'),
  accountGroups: groups.default([]),
  redirects: z.boolean().default(false),
  logsOut: z.boolean().default(false),
})

export const providerChangeShape = z.object({
  id: providerId,
  label: providerText.min(1),
  issuer: z.string().trim().max(ADDRESS_MAX),
  clientID: providerText.min(1),
  clientSecret: z.string().max(LIMITS.passwordLengthMax).optional(),
  isEnabled: z.boolean().default(false),
  options: optionsShape.prefault({}),
})

export const providerRequestShape = removalShape.extend({ provider: providerChangeShape })

export const issuerShape = z.object({ issuer: z.string().trim().max(ADDRESS_MAX) })

/** The id of a flow, which is public: the cookie of the browser is the secret. */
export const flowShape = z.object({ flow: z.string().max(TEXT_MAX) })

export const linkShape = removalShape.extend(flowShape.shape)

export const loginProvidersShape: z.ZodType<LoginProviders> = z.object({
  providers: z.array(z.object({ id: z.string(), label: z.string() })),
  redirectsTo: z.string(),
})

export const providerShape: z.ZodType<Provider> = z.object({
  id: z.string(),
  label: z.string(),
  issuer: z.string(),
  clientID: z.string(),
  hasSecret: z.boolean(),
  isEnabled: z.boolean(),
  options: optionsShape,
  redirectAddress: z.string(),
  logoutAddress: z.string(),
  backchannelAddress: z.string(),
})

export const discoveredShape: z.ZodType<Discovered> = z.object({
  issuer: z.string(),
  authorization: z.string(),
  token: z.string(),
  userInfo: z.string(),
  endSession: z.string(),
  scopes: z.array(z.string()),
  claims: z.array(z.string()),
  hasBackchannel: z.boolean(),
  hasPkce: z.boolean(),
  namesIssuer: z.boolean(),
})

export const begunFlowShape: z.ZodType<BegunFlow> = z.object({ address: z.string() })

export const outcomeShape: z.ZodType<LoginOutcome> = z.object({
  username: z.string(),
  isNew: z.boolean(),
  isAdmin: z.boolean(),
  adminReason: z.enum(ADMIN_REASONS),
  groups: z.array(z.string()).optional(),
  refusal: z.string(),
})

export const providerTestShape: z.ZodType<ProviderTest> = z.object({
  provider: z.string(),
  claims: z.record(z.string(), z.unknown()),
  outcome: outcomeShape,
})

export const linkedIdentityShape: z.ZodType<LinkedIdentity> = z.object({
  id: z.number(),
  issuer: z.string(),
  provider: z.string(),
  label: z.string(),
  linked: z.string(),
  used: z.string(),
})
