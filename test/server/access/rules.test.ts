import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileRules } from '#server/access/rules.ts'
import { parsePath } from '#wire/paths.ts'
import { checkRule } from '#wire/rules.ts'
import type { Rule } from '#wire/user.ts'

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
  test('without any, everything is allowed', () => {
    expect(sees([], '/anything')).toBe(true)
  })

  test('a path rule covers the path and what is below it, and ends at a segment', () => {
    for (const rule of [deny('/private'), deny('/private/'), deny('//private/.')]) {
      expect(
        ['/private', '/private/x', '/private_backup', '/a/private'].map((path) =>
          sees([rule], path),
        ),
      ).toEqual([false, false, true, true])
    }
  })

  test('the last that matches decides', () => {
    const rules = [deny('/a'), allow('/a/b'), deny('/a/b/c')]
    expect(['/a', '/a/x', '/a/b', '/a/b/c', '/a/b/c/d'].map((path) => sees(rules, path))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })

  test('an empty path covers everything, a relative one nothing', () => {
    expect(sees([deny('')], '/x')).toBe(false)
    expect(sees([deny('private')], '/private')).toBe(true)
  })

  test('an expression searches the path', () => {
    expect(sees([expression('\\.key$')], '/a/b.key')).toBe(false)
    expect(sees([expression('\\.key$')], '/a/b.keys')).toBe(true)
  })

  test('one that does not compile is refused when saved, and denies when stored', () => {
    expect(() => checkRule(expression('('))).toThrow('does not compile')
    expect(() => checkRule({ ...deny('/'), regex: true })).toThrow('needs an expression')
    expect(sees([expression('(')], '/x')).toBe(false)
  })

  test('names that are one name on the disk are one name for a rule', () => {
    expect(sees([deny('/Private')], '/pRIVATE/x', true)).toBe(false)
    expect(sees([deny('/Private')], '/private/x', false)).toBe(true)
  })

  test('whatever stands below a denied folder is denied', () => {
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
