/** Assertions about responses and files. Each throws if the server did not respond or act as required. */
import type { Fixture } from './fixture.ts'
import type { RawResponse } from './raw-request.ts'

class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'
}

/** @throws AssertionFailure with `message` unless the condition holds */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new AssertionFailure(message)
}

/**
 * The response must be a refusal that tells no secrets.
 *
 * @param status the expected status, since a refusal with another one has another cause
 */
export function refused(response: RawResponse, description: string, status: number): void {
  assert(
    response.status === status,
    `${description} was answered with ${response.status}, not ${status}`,
  )
  harmless(response, description)
}

/** The response must be the page of the interface, or a refusal. */
export function refusedOrPage(response: RawResponse, description: string, status: number): void {
  const isPage =
    response.status === 200 && /^text\/html/.test(response.headers.get('content-type') ?? '')
  if (!isPage) refused(response, description, status)
}

/** The response must be a success: the legitimate counterpart of an attack still works. */
export function works(response: RawResponse, description: string, status = 200): RawResponse {
  assert(
    response.status === status,
    `${description} should work with ${status}, and was answered with ${response.status}`,
  )
  return response
}

/** A refusal must not contain stack traces, hashes of passwords, or paths of the machine. */
function harmless({ text }: RawResponse, description: string): void {
  assert(!/\bat .+:\d+:\d+\)?$/m.test(text), `${description} shows a stack trace`)
  assert(!/\$argon2|\$2[aby]\$/.test(text), `${description} shows a hash`)
  assert(!text.includes('filemgr-attack-'), `${description} names a path of the machine`)
}

/** The response must contain neither the content nor a digest of these files. */
export function hides(
  fixture: Fixture,
  { text, headers }: RawResponse,
  description: string,
  ...files: string[]
): void {
  const all = text + [...headers].join('\n')
  for (const file of files) {
    const mark = fixture.mark(file)
    assert(!all.includes(mark), `${description} shows ${file}`)
    for (const name of ['md5', 'sha1', 'sha256', 'sha512'] as const) {
      const digest = new Bun.CryptoHasher(name).update(mark).digest('hex')
      assert(!all.includes(digest), `${description} shows a digest of ${file}`)
    }
  }
}

/** The files must be unchanged. */
export function untouched(fixture: Fixture, description: string, ...files: string[]): void {
  for (const file of files) {
    assert(
      fixture.exists(file) && fixture.read(file) === fixture.mark(file),
      `${description} changed ${file}`,
    )
  }
}
