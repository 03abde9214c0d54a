/** A server without sign-in, which pages of other sites must not reach by a DNS name of their own. */

import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'

export const noSignInCases: AttackCase[] = [
  {
    id: 'G-190',
    attack:
      'a host name of another site that leads to this server (DNS rebinding), without sign-in',
    reason:
      'without sign-in the server accepts only IP addresses, localhost and the configured host names',
    async run(fixture) {
      for (const host of [
        'evil.example',
        'evil.example:80',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
      ]) {
        for (const [method, target] of [
          ['POST', '/api/login'],
          ['GET', '/'],
          ['GET', '/api/raw/alice/own.txt'],
        ] as const) {
          refused(
            await fixture.raw('', method, target, '', { Host: host }),
            `${host} ${target}`,
            403,
          )
        }
      }
      const own = await fixture.raw('', 'POST', '/api/login', '', { Host: 'localhost' })
      assert(works(own, 'signing in by its own name').text !== '', 'the response has no token')
    },
  },
]
