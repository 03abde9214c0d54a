/** Assertions about responses and files. Each throws if an attack succeeded. */

import type { Fixture } from './fixture.ts'
import type { Answer } from './raw-request.ts'

class AssertionFailure extends Error {
  override readonly name = 'Breach'
}

/** @throws AssertionFailure with `words` unless the condition holds */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new AssertionFailure(message)
}

/** @param status the expected status, since a refusal with another one has another cause */
export function refused(answer: Answer, what: string, status: number): void {
  assert(answer.status === status, `${what} was answered with ${answer.status}, not ${status}`)
  harmless(answer, what)
}

/** The page of the interface, or a refusal. */
export function refusedOrPage(answer: Answer, what: string, status: number): void {
  const page = answer.status === 200 && /^text\/html/.test(answer.headers.get('content-type') ?? '')
  if (!page) refused(answer, what, status)
}

/** The legitimate counterpart of the attack must succeed. */
export function works(answer: Answer, what: string, status = 200): Answer {
  assert(
    answer.status === status,
    `${what} should work with ${status}, and was answered with ${answer.status}`,
  )
  return answer
}

/** A refusal must not contain stacks, paths on the machine, or hashes. */
function harmless({ text }: Answer, what: string): void {
  assert(!/\bat .+:\d+:\d+\)?$/m.test(text), `${what} shows a stack`)
  assert(!/\$argon2|\$2[aby]\$/.test(text), `${what} shows a hash`)
  assert(!text.includes('filemgr-attack-'), `${what} names a path of the machine`)
}

/** The response must not contain the content of these files. */
export function hides(
  fixture: Fixture,
  { text, headers }: Answer,
  what: string,
  ...files: string[]
): void {
  const all = text + [...headers].join('\n')
  for (const file of files) {
    const mark = fixture.mark(file)
    assert(!all.includes(mark), `${what} shows ${file}`)
    for (const name of ['md5', 'sha1', 'sha256', 'sha512'] as const) {
      const digest = new Bun.CryptoHasher(name).update(mark).digest('hex')
      assert(!all.includes(digest), `${what} shows a digest of ${file}`)
    }
  }
}

/** The files must be unchanged. */
export function untouched(fixture: Fixture, what: string, ...files: string[]): void {
  for (const file of files) {
    assert(
      fixture.exists(file) && fixture.read(file) === fixture.mark(file),
      `${what} changed ${file}`,
    )
  }
}
