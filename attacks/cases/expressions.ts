/** Rules with expressions. */
import type { Rule } from '#wire/user.ts'
import { hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'

const SECRET = 'alice/private/p.txt'

const deny = (raw: string): Rule => ({ regex: true, allow: false, path: '', regexp: { raw } })

export const expressionCases: AttackCase[] = [
  {
    id: 'G-164',
    attack: 'an expression that needs for ever, and a path on which it gives up',
    because: 'expressions take time that grows with the path alone, and none is given up',
    async run(fixture) {
      works(await fixture.settings({ rules: [deny('^(/|/a|a+)+$|/p\\.txt$')] }), 'a rule')
      try {
        const long = `/api/raw/private/${'a'.repeat(200)}/../p.txt`
        for (const target of ['/api/raw/private/p.txt', long]) {
          const answer = await fixture.raw('alice', 'GET', target)
          refused(answer, target, 403)
          hides(fixture, answer, target, SECRET)
        }
        works(await fixture.call('alice', 'GET', '/api/raw/own.txt'), 'what is allowed')
      } finally {
        works(await fixture.settings({ rules: [] }), 'no rule')
      }
      untouched(fixture, 'the attempt', SECRET)
    },
  },
  {
    id: 'G-165',
    attack: 'rules without end, and expressions that cannot be evaluated',
    because: 'number, length and repetition are asked when a rule is stored, and its syntax',
    async run(fixture) {
      for (const raw of ['(', '(?=a)', '(a)\\1', 'a'.repeat(300), '(?:a?){900}', '']) {
        refused(await fixture.settings({ rules: [deny(raw)] }), `the expression ${raw}`, 400)
      }
      const many = Array.from({ length: 101 }, () => deny('x'))
      refused(await fixture.settings({ rules: many }), 'too many rules', 400)
      works(await fixture.settings({ rules: [deny('(?i)\\.NOT-THERE\\z')] }), 'an expression')
      works(await fixture.settings({ rules: [] }), 'no rule')
    },
  },
]
