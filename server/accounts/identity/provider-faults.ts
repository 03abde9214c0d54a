/** Converts errors of openid-client to faults with a reason that users understand. */
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { Fault, type FaultCode, type FaultReason } from '#wire/fault.ts'

/** Codes of openid-client that mean that a check of the response failed. */
const MISMATCHES = [
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]

/** Errors of the token end point (RFC 6749 section 5.2) for a wrong client id or client secret. */
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client']

const SENTENCES = {
  providerRefused: ['forbidden', 'The provider refused the log-in, or it was cancelled there.'],
  providerFailed: ['forbidden', 'The provider reports an error.'],
  providerClient: ['forbidden', 'The provider does not accept the client id or the client secret.'],
  providerClock: ['forbidden', 'The clocks of this server and of the provider differ.'],
  providerMismatch: ['forbidden', 'The response of the provider did not pass the checks.'],
  providerInvalid: ['unprocessable', 'The response of the provider is not valid.'],
  providerNoDocument: ['unprocessable', 'There is no discovery document at this address.'],
  providerIssuer: ['unprocessable', 'The provider at this address has another issuer.'],
} as const satisfies Partial<Record<FaultReason, readonly [FaultCode, string]>>

/** @param cause for the log of the server */
export function providerFault(reason: keyof typeof SENTENCES, cause: unknown): Fault {
  const [code, message] = SENTENCES[reason]
  return new Fault(code, message, { reason, cause })
}

/** Codes of openid-client for a response that is no discovery document. */
const NO_DOCUMENT = [
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]

/** As `asProviderFault`, of the request for the discovery document. */
export function asDiscoveryFault(error: unknown): Fault {
  const code = codeOf(error)
  if (NO_DOCUMENT.includes(code)) return providerFault('providerNoDocument', error)
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return providerFault('providerIssuer', error)
  return asProviderFault(error)
}

/** @returns the fault of an error that openid-client or a request to the provider has thrown */
export function asProviderFault(error: unknown): Fault {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Fault) return cause
  }
  if (error instanceof AuthorizationResponseError) {
    return providerFault(
      error.error === 'access_denied' ? 'providerRefused' : 'providerFailed',
      error,
    )
  }
  if (error instanceof ResponseBodyError) {
    const isClient = CLIENT_ERRORS.includes(error.error) || error.status === 401
    return providerFault(isClient ? 'providerClient' : 'providerFailed', error)
  }
  const code = codeOf(error)
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return providerFault('providerClock', error)
  if (MISMATCHES.includes(code)) return providerFault('providerMismatch', error)
  return providerFault('providerInvalid', error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
