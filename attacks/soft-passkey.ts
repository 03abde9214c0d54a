/** An authenticator in software (WebAuthn level 3): it makes passkeys with ES256, and signs with them. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The flags of authenticator data (section 6.1). */
const FLAGS = { present: 0x01, verified: 0x04, mayBeSynced: 0x08, synced: 0x10, hasKey: 0x40 }

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId: string
}

/** What a test makes wrong. */
export interface Bend {
  /** The origin that the browser puts in. */
  origin?: string
  rpId?: string
  challenge?: string
  /** Whether the user was verified, by a finger or a PIN. */
  isVerified?: boolean
  counter?: number
  userHandle?: string | null
  type?: string
}

/** A passkey with its private key. */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url')
  readonly handle: string
  counter = 0
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #isSynced: boolean

  private constructor(origin: string, handle: string, isSynced: boolean) {
    this.#origin = origin
    this.handle = handle
    this.#isSynced = isSynced
  }

  /**
   * Makes a passkey at a page with this origin.
   *
   * @returns it, and the response of the browser (RegistrationResponseJSON)
   */
  static create(
    origin: string,
    options: CreationOptions,
    bend: Bend & { isSynced?: boolean } = {},
  ) {
    const passkey = new SoftPasskey(origin, options.user.id, bend.isSynced ?? false)
    const id = Buffer.from(passkey.id, 'base64url')
    const length = Buffer.from([0, id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(passkey.#keys.publicKey)])
    const authData = Buffer.concat([passkey.#head(options.rp.id, FLAGS.hasKey, bend), attested])
    const attestation = cbor(
      new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    const response = {
      clientDataJSON: passkey.#clientData('webauthn.create', options.challenge, bend),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }
    return { passkey, credential: passkey.#credential(response) }
  }

  /** Signs a challenge. @returns the response of the browser (AuthenticationResponseJSON) */
  sign(options: RequestOptions, bend: Bend = {}) {
    this.counter = bend.counter ?? this.counter + 1
    const authData = this.#head(options.rpId, 0, bend)
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, bend)
    const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authData, digest]), this.#keys.privateKey)
    return this.#credential({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: bend.userHandle === undefined ? this.handle : bend.userHandle,
    })
  }

  #credential<Response>(response: Response) {
    const type = 'public-key'
    return { id: this.id, rawId: this.id, type, response, clientExtensionResults: {} }
  }

  /** The hash of the relying party, the flags and the counter (section 6.1). */
  #head(rpId: string, flags: number, bend: Bend): Buffer {
    const isVerified = bend.isVerified ?? true
    const syncing = this.#isSynced ? FLAGS.mayBeSynced | FLAGS.synced : 0
    const head = Buffer.alloc(37)
    createHash('sha256')
      .update(bend.rpId ?? rpId)
      .digest()
      .copy(head)
    head[32] = flags | FLAGS.present | (isVerified ? FLAGS.verified : 0) | syncing
    head.writeUInt32BE(this.counter, 33)
    return head
  }

  #clientData(type: string, challenge: string, bend: Bend): string {
    const data = {
      type: bend.type ?? type,
      challenge: bend.challenge ?? challenge,
      origin: bend.origin ?? this.#origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }
}

/** A public key of ES256 as a COSE key (RFC 9053 section 7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

type CborValue = number | string | Buffer | Map<number | string, CborValue>

/** Encodes the few types that WebAuthn needs (RFC 8949). */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  const pairs = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)])
  return Buffer.concat([cborHead(5, value.size), ...pairs])
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}
