/** What must hold of an answer and of the disk. Each throws when an attack came through. */

import type { Fixture } from './fixture.ts'
import type { Answer } from './raw-request.ts'

class Breach extends Error {
  override readonly name = 'Breach'
}

/** @throws Breach with `words` unless it holds */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Breach(message)
}

/** @param status the one with which this is refused: another may refuse it for another reason */
export function refused(answer: Answer, what: string, status: number): void {
  must(answer.status === status, `${what} was answered with ${answer.status}, not ${status}`)
  harmless(answer, what)
}

/** The page of the interface, or a refusal. */
export function refusedOrPage(answer: Answer, what: string, status: number): void {
  const page = answer.status === 200 && /^text\/html/.test(answer.headers.get('content-type') ?? '')
  if (!page) refused(answer, what, status)
}

/** The legitimate twin: what must go on working. */
export function works(answer: Answer, what: string, status = 200): Answer {
  must(
    answer.status === status,
    `${what} should work with ${status}, and was answered with ${answer.status}`,
  )
  return answer
}

/** No stack, no path of the machine, no hash in a refusal. */
function harmless({ text }: Answer, what: string): void {
  must(!/\bat .+:\d+:\d+\)?$/m.test(text), `${what} shows a stack`)
  must(!/\$argon2|\$2[aby]\$/.test(text), `${what} shows a hash`)
  must(!text.includes('filemgr-attack-'), `${what} names a path of the machine`)
}

/** None of these files can be told from the answer. */
export function hides(
  fixture: Fixture,
  { text, headers }: Answer,
  what: string,
  ...files: string[]
): void {
  const all = text + [...headers].join('\n')
  for (const file of files) {
    const mark = fixture.mark(file)
    must(!all.includes(mark), `${what} shows ${file}`)
    for (const name of ['md5', 'sha1', 'sha256', 'sha512'] as const) {
      const digest = new Bun.CryptoHasher(name).update(mark).digest('hex')
      must(!all.includes(digest), `${what} shows a digest of ${file}`)
    }
  }
}

/** The files still say what they said. */
export function untouched(fixture: Fixture, what: string, ...files: string[]): void {
  for (const file of files) {
    must(
      fixture.exists(file) && fixture.read(file) === fixture.mark(file),
      `${what} changed ${file}`,
    )
  }
}
