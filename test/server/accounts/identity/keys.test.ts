/** A provider changes its keys: they are read again, at most once in a minute. */
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { OAuth2Server } from 'oauth2-mock-server'
import { authorizationAddress, readAnswer } from '#server/accounts/identity/provider-answers.ts'
import { ProviderConnections } from '#server/accounts/identity/provider-connections.ts'
import type { StoredProvider } from '#server/db/rows/providers.ts'
import type { StoredFlow } from '#server/db/rows/sign-in-flows.ts'
import { STANDARD_OPTIONS } from '#wire/api/identity.ts'

const REDIRECT = 'https://files.example.org/api/identity/callback/op'
const MINUTE_MS = 60_000
const SECRETS = {
  id: 'flow',
  state: 's'.repeat(43),
  cookie: 'c',
  nonce: 'n',
  verifier: 'v'.repeat(43),
}

let server: OAuth2Server
let provider: StoredProvider
let connections: ProviderConnections
beforeEach(async () => {
  server = new OAuth2Server()
  await server.issuer.keys.generate('RS256', { kid: 'first' })
  await server.start(0, '127.0.0.1')
  const issuer = `http://127.0.0.1:${server.address().port}`
  server.issuer.url = issuer
  connections = new ProviderConnections()
  provider = {
    id: 'op',
    label: 'op',
    issuer,
    clientId: 'filemgr',
    clientSecret: 'secret',
    options: STANDARD_OPTIONS,
    isEnabled: true,
  }
})
afterEach(async () => {
  setSystemTime()
  await server.stop()
})

/** Logs in. @returns the subject, or the reason of the refusal */
async function logIn(): Promise<string> {
  const connection = await connections.get(provider)
  const address = await authorizationAddress(connection, provider, SECRETS, REDIRECT)
  const response = await fetch(address, { redirect: 'manual' })
  const { search } = new URL(response.headers.get('location') ?? '')
  // The other fields of a flow are not read.
  const flow = { nonce: SECRETS.nonce, verifier: SECRETS.verifier } as StoredFlow
  return readAnswer(connection, flow, SECRETS.state, REDIRECT, search).then(
    ({ subject }) => subject,
    ({ reason }) => reason,
  )
}

test('a new key is accepted when the keys are read again, which happens at most once in a minute', async () => {
  expect(await logIn()).toBe('johndoe')
  // Tokens are signed with the keys in turn.
  await server.issuer.keys.generate('RS256', { kid: 'second' })
  expect([await logIn(), await logIn()]).toContain('providerMismatch')
  setSystemTime(new Date(Date.now() + 2 * MINUTE_MS))
  expect([await logIn(), await logIn()]).toEqual(['johndoe', 'johndoe'])
})
