/** Converts values to responses. */

import { preferencesOf, type User } from '#wire/api/user.ts'
import type { AnyCall } from '../context/context.ts'

/**
 * `200 OK` as text, which File Browser's clients expect after a successful change (docs/api.md 1.0.1).
 *
 * @param note follows in further lines
 */
export function okResponse(
  call: AnyCall,
  headers: Record<string, string> = {},
  note = '',
): Response {
  return call.body(`200 OK\n${note}`, 200, {
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  })
}

/** The content type that File Browser's clients compare. */
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** A value as a JSON response. */
export function jsonResponse(value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { headers: { ...JSON_TYPE, ...headers } })
}

/** Entries in one chunk of a list. */
const ENTRIES_PER_CHUNK = 500

/** Streams values as a JSON list. */
export function jsonList(values: AsyncGenerator<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '['
  return new ReadableStream(
    {
      async pull(controller) {
        let text = ''
        for (let count = 0; count < ENTRIES_PER_CHUNK; count += 1) {
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

/** A user without the password hash. Only administrators see the location of the scope. */
export function presentUser(user: Omit<User, 'password'>, isForAdministrator: boolean): User {
  return {
    ...preferencesOf(user),
    id: user.id,
    username: user.username,
    password: '',
    scope: isForAdministrator ? user.scope : '',
    lockPassword: user.lockPassword,
    perm: user.perm,
    commands: user.commands,
    rules: user.rules,
  }
}
