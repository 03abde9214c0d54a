/** What leaves the server. */

import { preferencesOf, type User } from '#wire/user.ts'
import type { Call } from './context.ts'

/** `200 OK` as text: what File Browser's clients get for a change that went well (contract 1.0.1). */
export function ok(call: Call, headers: Record<string, string> = {}): Response {
  return call.body('200 OK\n', 200, { 'Content-Type': 'text/plain; charset=utf-8', ...headers })
}

/** A value as JSON, with the content type that File Browser's clients compare. */
export function json(value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  })
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
