/** A certified OpenID Connect provider in the process of the test, whose people log in by typing a name. */
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

/** The claims of a person besides `sub`, which is the name that is typed. */
export type PersonClaims = Record<string, unknown>

export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Sets the claims of a person. */
  person(name: string, claims: PersonClaims): void
  stop(): Promise<void>
}

interface ClientAddresses {
  redirect: string
  logout: string
  backchannel: string
}

const SCOPES = 'openid profile email groups'

/** @param addresses those of filemgr */
export async function startProvider({
  redirect,
  logout,
  backchannel,
}: ClientAddresses): Promise<TestProvider> {
  const people = new Map<string, PersonClaims>()
  const server = createServer()
  const port = await new Promise<number>((done) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      done(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const issuer = `http://127.0.0.1:${port}`
  const client = {
    client_id: 'filemgr',
    client_secret: 'the secret of the client',
    redirect_uris: [redirect],
    post_logout_redirect_uris: [logout],
    backchannel_logout_uri: backchannel,
    backchannel_logout_session_required: true,
  }
  const provider = new Provider(issuer, {
    clients: [client],
    claims: {
      openid: ['sub'],
      email: ['email'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    pkce: { required: () => true },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    // No question whether filemgr may read the claims.
    async loadExistingGrant(context: {
      oidc: { session: { accountId: string }; client: { clientId: string } }
    }) {
      const { session, client: asking } = context.oidc
      const grant = new provider.Grant({
        clientId: asking.clientId,
        accountId: session.accountId,
      })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    person: (name, claims) => people.set(name, claims),
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
