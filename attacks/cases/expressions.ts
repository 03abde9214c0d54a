/** Rules with expressions. */
import type { Rule } from '#wire/api/user.ts'
import { hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'

const SECRET = 'alice/private/p.txt'

const deny = (raw: string): Rule => ({ regex: true, allow: false, path: '', regexp: { raw } })

export const expressionCases: AttackCase[] = [
  {
    id: 'G-164',
    attack: 'an expression whose evaluation does not end, and a path for which it fails',
    reason:
      'the evaluation time depends only on the length of the path, and no evaluation is aborted',
    async run(fixture) {
      works(await fixture.settings({ rules: [deny('^(/|/a|a+)+$|/p\\.txt$')] }), 'a rule')
      try {
        const long = `/api/raw/private/${'a'.repeat(200)}/../p.txt`
        for (const target of ['/api/raw/private/p.txt', long]) {
          const response = await fixture.raw('alice', 'GET', target)
          refused(response, target, 403)
          hides(fixture, response, target, SECRET)
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
    attack: 'an unlimited number of rules, and expressions that cannot be evaluated',
    reason: 'the number, length, repetitions and syntax of rules are checked when they are stored',
    async run(fixture) {
      for (const raw of ['(', '(?=a)', '(a)\\1', 'a'.repeat(300), '(?:a?){900}', '']) {
        refused(await fixture.settings({ rules: [deny(raw)] }), `the expression ${raw}`, 400)
      }
      const many = Array.from({ length: 101 }, () => deny('x'))
      refused(await fixture.settings({ rules: many }), 'too many rules', 400)
      try {
        works(await fixture.settings({ rules: [deny('(?i)\\.NOT-THERE\\z')] }), 'an expression')
      } finally {
        works(await fixture.settings({ rules: [] }), 'no rule')
      }
    },
  },
]
