/** The browser's side of passkeys (WebAuthn level 3), as JSON. Older browsers have no methods for JSON. */

/** The options of the server for a new passkey. */
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON
/** The options of the server for the use of a passkey. */
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON

/**
 * Makes a passkey.
 *
 * @returns what the server stores; undefined if the user cancelled
 * @throws DOMException InvalidStateError (the device has one for the account), SecurityError (the host)
 */
export async function createPasskey(options: CreationOptions): Promise<object | undefined> {
  const publicKey =
    PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? creationOptionsOf(options)
  return credentialOf(undefined, (signal) => navigator.credentials.create({ publicKey, signal }))
}

/**
 * Asks for a passkey.
 *
 * @param how `conditional`: the browser offers passkeys with the names that it fills in, and asks nothing before
 * @returns what the server verifies; undefined if the user cancelled, or `signal` ended it
 * @throws DOMException SecurityError (the host)
 */
export async function requestPasskey(
  options: RequestOptions,
  how: { mediation?: 'conditional'; signal?: AbortSignal } = {},
): Promise<object | undefined> {
  const publicKey =
    PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? requestOptionsOf(options)
  const { mediation } = how
  return credentialOf(how.signal, (signal) =>
    navigator.credentials.get({ publicKey, signal, ...(mediation && { mediation }) }),
  )
}

/** Whether the browser offers passkeys with the names that it fills in. */
export async function canFillPasskeys(): Promise<boolean> {
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false
}

/** The user cancels by the same error as the time limit, so that pages cannot tell which passkeys there are. */
const CANCELLED = ['NotAllowedError', 'AbortError']

/** Ends the request that runs: browsers allow one at a time, and an offer runs as long as its page. */
let running = new AbortController()

async function credentialOf(
  signal: AbortSignal | undefined,
  request: (signal: AbortSignal) => Promise<Credential | null>,
): Promise<object | undefined> {
  running.abort()
  const own = new AbortController()
  running = own
  const end = () => own.abort()
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const credential = await request(own.signal)
    return credential instanceof PublicKeyCredential ? jsonOf(credential) : undefined
  } catch (error) {
    if (error instanceof DOMException && CANCELLED.includes(error.name)) return undefined
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

function jsonOf(credential: PublicKeyCredential): object {
  if ('toJSON' in credential) return credential.toJSON()
  const { id, rawId, type, response } = credential as PublicKeyCredential
  return {
    id,
    rawId: textOf(rawId),
    type,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      ...(response instanceof AuthenticatorAttestationResponse && {
        attestationObject: textOf(response.attestationObject),
        transports: response.getTransports?.() ?? [],
      }),
      ...(response instanceof AuthenticatorAssertionResponse && {
        authenticatorData: textOf(response.authenticatorData),
        signature: textOf(response.signature),
        userHandle: response.userHandle && textOf(response.userHandle),
      }),
    },
    clientExtensionResults: {},
  }
}

/** The server sends no extensions. */
function creationOptionsOf({
  extensions,
  ...options
}: CreationOptions): PublicKeyCredentialCreationOptions {
  // The fields that are not listed are the same in both forms.
  return {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map(described),
  } as PublicKeyCredentialCreationOptions
}

function requestOptionsOf({
  extensions,
  ...options
}: RequestOptions): PublicKeyCredentialRequestOptions {
  // As above.
  return {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map(described),
  } as PublicKeyCredentialRequestOptions
}

function described({ id, transports = [] }: PublicKeyCredentialDescriptorJSON) {
  return { type: 'public-key', id: bytesOf(id), transports }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

function textOf(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
