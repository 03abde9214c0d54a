import { describe, expect, test } from 'bun:test'
import {
  moveItem,
  newRule,
  ruleProblemOf,
  ruleText,
  withText,
} from '#ui/features/settings/rights/rules.ts'
import { checkRules, withLeadingSlash } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'

const path = (text: string): Rule => withText(newRule(), text, false)
const expression = (text: string): Rule => withText(newRule(), text, true)

describe('a rule in a form', () => {
  test('a new rule denies and has an empty path', () => {
    expect(newRule().allow).toBe(false)
    expect(ruleProblemOf(newRule())).toBe('empty')
  })

  test('a rule keeps the typed text when its kind changes', () => {
    const rule = withText(path('/a'), ruleText(path('/a')), true)
    expect(rule).toEqual({ allow: false, regex: true, path: '', regexp: { raw: '/a' } })
    expect(ruleText(withText(rule, ruleText(rule), false))).toBe('/a')
  })

  test.each([
    [path('secret'), '/secret'],
    [path(' secret '), '/secret'],
    [path(' /secret'), '/secret'],
    [path('/secret'), '/secret'],
    [path('/ends with a space '), '/ends with a space '],
    [path(''), ''],
    [expression('secret'), 'secret'],
  ])('the text of the rule %j is %p', (rule, text) => {
    expect(ruleText(withLeadingSlash(rule))).toBe(text)
  })

  test.each([
    [path('/'), undefined],
    [path('  '), 'empty'],
    [expression(''), 'empty'],
    [expression('('), 'badExpression'],
    [expression('\\p{Nonsense}'), 'badExpression'],
    [expression('\\.(key|pem)$'), undefined],
  ] as const)('the rule %j has the problem %p', (rule, problem) => {
    expect(ruleProblemOf(rule)).toBe(problem)
  })

  test.each(['(', '[', 'a{2,1}', 'ok', '^/a/b$'])(
    'the expression %p is validated as on the server',
    (text) => {
      const refused = () => checkRules([expression(text)])
      if (ruleProblemOf(expression(text))) expect(refused).toThrow()
      else expect(refused).not.toThrow()
    },
  )
})

describe('the order of rules', () => {
  test.each([
    [0, 1, 'bac'],
    [2, -1, 'acb'],
    [1, 1, 'acb'],
    [0, -1, 'abc'],
    [2, 1, 'abc'],
    [7, -1, 'abc'],
  ] as const)('moving the rule at %p by %p gives the order %p', (at, by, order) => {
    expect(moveItem(['a', 'b', 'c'], at, by).join('')).toBe(order)
  })
})
