/** The check of a captcha, with a server of this test as the captcha service. */
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { checkCaptcha } from '#server/accounts/sign-in/captcha.ts'
import { Fault } from '#wire/fault.ts'

/** The response of the captcha service, by the solution that it receives. */
const ANSWERS: Record<string, () => Response | Promise<Response>> = {
  solved: () => Response.json({ success: true }),
  wrong: () => Response.json({ success: false }),
  nonsense: () => new Response('success'),
  'no object': () => Response.json(true),
  refused: () => Response.json({ success: true }, { status: 403 }),
  elsewhere: () => new Response(null, { status: 307, headers: { Location: '/there' } }),
  silent: () => new Promise(() => undefined),
}

let host: Bun.Server<undefined>
let secrets: unknown[]
beforeAll(() => {
  secrets = []
  host = Bun.serve({
    port: 0,
    async fetch(request) {
      if (new URL(request.url).pathname === '/there') return Response.json({ success: true })
      const form = await request.formData()
      secrets.push(form.get('secret'))
      return ANSWERS[String(form.get('response'))]?.() ?? new Response(null, { status: 404 })
    },
  })
})
afterAll(() => host.stop(true))

const ask = (response: string | undefined, secret = 'key') =>
  checkCaptcha({ host: `${host.url}`, secret }, response).then(
    () => 'solved',
    (error) => (error instanceof Fault ? error.code : error),
  )

test('a captcha is accepted only if the captcha service confirms it', async () => {
  expect(await ask('solved')).toBe('solved')
  for (const answer of ['wrong', 'nonsense', 'no object', 'refused', '', undefined]) {
    expect([answer, await ask(answer)]).toEqual([answer, 'wrongCredentials'])
  }
  expect(await ask('elsewhere')).toBe('internal')
  expect(new Set(secrets)).toEqual(new Set(['key']))
})

test('without a secret there is no captcha, and without a solution no request is sent to its host', async () => {
  secrets.length = 0
  expect(await ask(undefined, '')).toBe('solved')
  expect(await ask(undefined)).toBe('wrongCredentials')
  expect(secrets).toEqual([])
})

test('a captcha service that does not respond in time is a failure, and the sign-in is refused', async () => {
  const late = new AbortController()
  const timeout = spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  const asked = ask('silent')
  late.abort(new DOMException('late', 'TimeoutError'))
  expect(await asked).toBe('internal')
  expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(10_000)
  timeout.mockRestore()
})
