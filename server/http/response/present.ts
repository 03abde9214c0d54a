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

/**
 * Streams values as a JSON list, of which the first part exists before the response begins.
 *
 * @throws what `values` throws in the first part
 */
export async function jsonList(
  values: AsyncGenerator<unknown>,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const texts = listTexts(values)
  let next = await texts.next()
  return new ReadableStream(
    {
      async pull(controller) {
        if (next.done) return controller.close()
        controller.enqueue(encoder.encode(next.value))
        next = await texts.next()
      },
      cancel: async () => void (await texts.return()),
    },
    { highWaterMark: 0 },
  )
}

async function* listTexts(values: AsyncGenerator<unknown>): AsyncGenerator<string, void> {
  let [text, count, before] = ['', 0, '[']
  for await (const value of values) {
    text += before + JSON.stringify(value)
    before = ','
    count += 1
    if (count % ENTRIES_PER_CHUNK > 0) continue
    yield text
    text = ''
  }
  yield `${text}${before === '[' ? '[' : ''}]`
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
