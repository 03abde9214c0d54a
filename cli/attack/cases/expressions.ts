/** C. Access rules, by expressions. */
import type { Rule } from '#wire/user.ts'
import type { Case } from '../case.ts'
import { hides, refused, untouched, works } from '../claims.ts'

const SECRET = 'alice/private/p.txt'

const deny = (raw: string): Rule => ({ regex: true, allow: false, path: '', regexp: { raw } })

export const expressionCases: Case[] = [
  {
    id: 'G-164',
    attack: 'an expression that needs for ever, and a path on which it gives up',
    because: 'expressions take time that grows with the path alone, and none is given up',
    async run(world) {
      works(await world.settings({ rules: [deny('^(/|/a|a+)+$|/p\\.txt$')] }), 'a rule')
      try {
        const long = `/api/raw/private/${'a'.repeat(200)}/../p.txt`
        for (const target of ['/api/raw/private/p.txt', long]) {
          const answer = await world.raw('alice', 'GET', target)
          refused(answer, target, 403)
          hides(world, answer, target, SECRET)
        }
        works(await world.call('alice', 'GET', '/api/raw/own.txt'), 'what is allowed')
      } finally {
        works(await world.settings({ rules: [] }), 'no rule')
      }
      untouched(world, 'the attempt', SECRET)
    },
  },
  {
    id: 'G-165',
    attack: 'rules without end, and expressions that cannot be evaluated',
    because: 'number, length and repetition are asked when a rule is stored, and its syntax',
    async run(world) {
      for (const raw of ['(', '(?=a)', '(a)\\1', 'a'.repeat(300), '(?:a?){900}', '']) {
        refused(await world.settings({ rules: [deny(raw)] }), `the expression ${raw}`, 400)
      }
      const many = Array.from({ length: 101 }, () => deny('x'))
      refused(await world.settings({ rules: many }), 'too many rules', 400)
      works(await world.settings({ rules: [deny('(?i)\\.NOT-THERE\\z')] }), 'an expression')
      works(await world.settings({ rules: [] }), 'no rule')
    },
  },
]
