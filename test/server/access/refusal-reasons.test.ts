/** Refusals that ordinary users can cause have a reason, so that the interface shows them in the user's language. */
import { expect, test } from 'bun:test'
import { homeFolder } from '#server/accounts/users/home.ts'
import { parseQuery } from '#server/files/search/search-query.ts'
import { refuseTooLarge } from '#server/files/uploads/upload-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import { splitLine } from '#server/shell/commands.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { DEPTH_MAX, parsePath } from '#wire/paths.ts'

const WORDS = 'word '.repeat(33)

test.each<[refusal: string, reason: string, cause: () => unknown]>([
  ['a command line with an open quotation mark', 'quoteOpen', () => splitLine('echo "a')],
  ['a command line that ends with a backslash', 'backslashEnd', () => splitLine('echo \\')],
  ['a search with too many words', 'searchTooLong', () => parseQuery(WORDS)],
  ['a path with too many levels', 'tooDeep', () => parsePath('/a'.repeat(DEPTH_MAX + 1))],
  ['an upload that is too large', 'fileTooLarge', () => refuseTooLarge(2, 1)],
  ['a user name that no folder can have', 'usernameUnsuitable', () => homeFolder('/', '..')],
  ['a terminal too many', 'terminalsFull', takeAllTerminals],
])('the refusal of %s has the reason %s', (_, reason, cause) => {
  expect(refusalOf(cause).reason as string).toBe(reason)
})

test('a refusal with a limit in its reason contains the number', () => {
  expect(refusalOf(() => parseQuery(WORDS)).params).toEqual({ words: 32 })
  expect(refusalOf(() => parsePath('/a'.repeat(DEPTH_MAX + 1))).params).toEqual({ levels: 256 })
})

function takeAllTerminals(): void {
  const limit = new Limiter(CONCURRENCY_LIMITS.shells)
  for (let count = 0; count <= CONCURRENCY_LIMITS.shells.perKey; count += 1) limit.acquire('anna')
}

function refusalOf(cause: () => unknown): Fault {
  try {
    cause()
  } catch (error) {
    if (isFault(error)) return error
  }
  throw new Error('nothing was refused')
}
