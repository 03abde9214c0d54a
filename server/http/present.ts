/** What leaves the server. */

import { preferencesOf, type User } from '#wire/user.ts'
import type { AnyCall } from './context.ts'

/** `200 OK` as text: what File Browser's clients get for a change that went well (docs/api.md 1.0.1). */
export function ok(call: AnyCall, headers: Record<string, string> = {}): Response {
  return call.body('200 OK\n', 200, { 'Content-Type': 'text/plain; charset=utf-8', ...headers })
}

/** The content type that File Browser's clients compare. */
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** A value as JSON. */
export function json(value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { headers: { ...JSON_TYPE, ...headers } })
}

/** Entries in one piece of a list. */
const PIECE = 500

/** Values as one JSON list, of which no more is in memory than its reader takes. */
export function jsonList(values: AsyncGenerator<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '['
  return new ReadableStream(
    {
      async pull(controller) {
        let text = ''
        for (let count = 0; count < PIECE; count += 1) {
          const { done, value } = await values.next()
          if (done) {
            controller.enqueue(encoder.encode(`${text}${before === '[' ? '[' : ''}]`))
            return controller.close()
          }
          text += before + JSON.stringify(value)
          before = ','
        }
        controller.enqueue(encoder.encode(text))
      },
      cancel: async () => void (await values.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}

/** A user without the hash. Others than administrators do not learn where their scope lies. */
export function presentUser(user: Omit<User, 'password'>, toAdministrator: boolean): User {
  return {
    ...preferencesOf(user),
    id: user.id,
    username: user.username,
    password: '',
    scope: toAdministrator ? user.scope : '',
    lockPassword: user.lockPassword,
    perm: user.perm,
    commands: user.commands,
    rules: user.rules,
  }
}
