/** Passkeys (docs/api.md 37). */
import { z } from 'zod'

const passkeyShape = z.object({
  id: z.string().meta({ description: 'the credential id, in base64url' }),
  name: z.string(),
  host: z.string().meta({
    description: 'the host that it belongs to: it can be used at no other one',
  }),
  isSynced: z.boolean().meta({ description: 'whether it is on more than one device' }),
  created: z.string().meta({ description: 'RFC 3339' }),
  used: z.string().meta({ description: 'the last use, in RFC 3339; empty if there was none' }),
})

export const passkeyListShape = z.object({
  origin: z.string().meta({
    description:
      'the origin of the page at which passkeys are made and used; `http://localhost` stands for all its ports; empty: the public address has no name or no https',
  }),
  passkeys: z.array(passkeyShape),
})

export const newPasskeyShape = z.object({
  passkey: passkeyShape,
  codes: z.array(z.string()).meta({
    description:
      'recovery codes, which only this response contains; none if the user had a second factor before',
  }),
})

/** As W3C WebAuthn level 3 defines it (PublicKeyCredentialCreationOptionsJSON, …RequestOptionsJSON). */
export const passkeyOptionsShape = z.looseObject({ challenge: z.string() })

export type Passkey = z.infer<typeof passkeyShape>
export type PasskeyList = z.infer<typeof passkeyListShape>
export type NewPasskey = z.infer<typeof newPasskeyShape>
