/** Second factors of the sign-in: one-time codes (docs/api.md 35) and passkeys (37). */
import { z } from 'zod'

/** The second factor of the user who asks. */
export const secondFactorShape = z.object({
  since: z.string().meta({
    description: 'since when an authenticator app gives codes, in RFC 3339; empty: none does',
  }),
  recoveryCodes: z.number().meta({ description: 'how many recovery codes are left' }),
  passkeyHosts: z.array(z.string()).meta({
    description: 'the hosts that passkeys of the user belong to; empty without passkeys',
  }),
  requiredFrom: z.string().meta({
    description: 'from when the user must have a second factor, in RFC 3339; empty: never',
  }),
})

/** A secret that is not in use until a code of it was sent. */
export const secondFactorDraftShape = z.object({
  secret: z.string().meta({ description: 'base 32, to be typed into an authenticator app' }),
  uri: z.string().meta({ description: 'the same for a QR code: an `otpauth` address' }),
})

export const recoveryCodesShape = z.object({
  codes: z.array(z.string()).meta({
    description: 'returned only once, at their creation; each replaces a one-time code once',
  }),
})

/** For administrators: a user who signs in with a second factor. */
export const secondFactorUserShape = z.object({
  userID: z.number(),
  since: z.string(),
  passkeys: z.number(),
})

/** The response to a right password if a code is needed too (401). */
export const codeNeededShape = z.object({
  ticket: z.string().meta({ description: 'stands for the password, for a few minutes' }),
  app: z.boolean().meta({ description: 'whether an authenticator app gives codes' }),
  passkeyHosts: z.array(z.string()).readonly().meta({
    description: 'the hosts that passkeys of the user belong to',
  }),
})

export type SecondFactor = z.infer<typeof secondFactorShape>
export type SecondFactorDraft = z.infer<typeof secondFactorDraftShape>
export type RecoveryCodes = z.infer<typeof recoveryCodesShape>
export type SecondFactorUser = z.infer<typeof secondFactorUserShape>
export type CodeNeeded = z.infer<typeof codeNeededShape>
