import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileRules } from '#server/access/rules.ts'
import { checkRules } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath } from '#wire/paths.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
const allow = (path: string): Rule => ({ ...deny(path), allow: true })
const expression = (raw: string, allowed = false): Rule => ({
  regex: true,
  allow: allowed,
  path: '',
  regexp: { raw },
})
const sees = (rules: Rule[], path: string, foldsCase = false) =>
  compileRules(rules, foldsCase)(parsePath(path))

describe('rules', () => {
  test('without rules everything is allowed', () => {
    expect(sees([], '/anything')).toBe(true)
  })

  test('a path rule covers the path and everything below it, and matches whole segments', () => {
    for (const rule of [deny('/private'), deny('/private/'), deny('//private/.')]) {
      expect(
        ['/private', '/private/x', '/private_backup', '/a/private'].map((path) =>
          sees([rule], path),
        ),
      ).toEqual([false, false, true, true])
    }
  })

  test('the last rule that matches decides', () => {
    const rules = [deny('/a'), allow('/a/b'), deny('/a/b/c')]
    expect(['/a', '/a/x', '/a/b', '/a/b/c', '/a/b/c/d'].map((path) => sees(rules, path))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })

  test('where case does not count, forms of Unicode do not either', () => {
    const [composed, decomposed] = ['/\u00dcbung', '/U\u0308bung']
    for (const rule of [deny(composed), expression('^/\u00dcbung')]) {
      expect(sees([rule], decomposed.toLowerCase(), true)).toBe(false)
      expect(sees([rule], decomposed)).toBe(true)
    }
    expect(sees([deny(decomposed)], `${composed}/a`, true)).toBe(false)
    expect(sees([deny(composed)], '/ubung', true)).toBe(true)
  })

  test('a rule with an empty path covers everything, and one with a relative path nothing', () => {
    expect(sees([deny('')], '/x')).toBe(false)
    expect(sees([deny('private')], '/private')).toBe(true)
  })

  test('an expression may match any part of the path', () => {
    expect(sees([expression('\\.key$')], '/a/b.key')).toBe(false)
    expect(sees([expression('\\.key$')], '/a/b.keys')).toBe(true)
  })

  test('an expression that does not compile is refused when saved, and denies when stored', () => {
    expect(() => checkRules([expression('(')])).toThrow('does not compile')
    expect(() => checkRules([{ ...deny('/'), regex: true }])).toThrow('needs an expression')
    expect(sees([expression('(')], '/x')).toBe(false)
  })

  test('an expression that does not compile allows nothing', () => {
    expect(sees([deny('/a'), expression('(', true)], '/a')).toBe(false)
    expect(sees([{ ...expression('x'), regexp: null }], '/a')).toBe(false)
  })

  // Each expression matches only the end of the path, which an engine that backtracks does not reach in time.
  test.each([
    ['^(a+)+$|!$', `${'a'.repeat(4000)}!`],
    ['^/(a|aa)+$|!$', `${'a'.repeat(4000)}!`],
    ['(x+x+)+y|z$', `${'x'.repeat(4000)}z`],
    ['(.*)(.*)(.*)(.*)(.*)(.*)q|z$', `${'x'.repeat(4000)}z`],
  ])('the expression %s is found in a long path', (raw, path) => {
    expect(sees([expression(raw)], path)).toBe(false)
    expect(sees([expression(raw)], path.slice(0, -1).replace(/^a/, 'b'))).toBe(true)
  })

  test('length, repetition and number of expressions are bounded @limit-42 @limit-70', () => {
    const of = (length: number) => expression('a'.repeat(length))
    checkRules([of(LIMITS.ruleExpressionMax)])
    expect(() => checkRules([of(LIMITS.ruleExpressionMax + 1)])).toThrow('longer than 256')
    expect(() => checkRules([expression('(?:a?){300}')])).toThrow('repeats too much')
    expect(sees([of(LIMITS.ruleExpressionMax + 1)], '/x')).toBe(false)
    expect(sees([expression('(?:a?){300}')], '/x')).toBe(false)
    const many = Array.from({ length: LIMITS.rulesMax }, () => deny('/a'))
    checkRules(many)
    expect(() => checkRules([...many, deny('/a')])).toThrow('100 rules')
  })

  test('rules work with more expressions than the cache holds', () => {
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 300; i += 1) expect(sees([expression(`^/n${i}$`)], `/n${i}`)).toBe(false)
    }
  })

  test('names that are the same on the disk are the same for a rule', () => {
    expect(sees([expression('^/private/.*\\.key$')], '/PRIVATE/a.KEY', true)).toBe(false)
    expect(sees([expression('^/private/.*\\.key$')], '/PRIVATE/a.KEY', false)).toBe(true)
    expect(sees([deny('/Private')], '/pRIVATE/x', true)).toBe(false)
    expect(sees([deny('/Private')], '/private/x', false)).toBe(true)
  })

  test('everything below a denied folder is denied', () => {
    const segment = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/[/\0]|^\.\.?$/.test(text))
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), fc.array(segment), (top, rest) => {
        const folder = `/${top.join('/')}`
        expect(sees([deny(folder)], `${folder}/${rest.join('/')}`)).toBe(false)
      }),
    )
  })
})
