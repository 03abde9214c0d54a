/** What a comparison costs is counted by the hashes that are compared, never by a clock. */
import { afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import {
  hashPassword,
  isHash,
  kindOf,
  NEW_KIND,
  verifyPassword,
} from '#server/accounts/passwords.ts'

const verify = spyOn(Bun.password, 'verify')
afterEach(() => verify.mockClear())

const BCRYPT = '$2b$04$'
const KINDS = [NEW_KIND, BCRYPT, '$2b$05$']
let argon2: string
let bcrypt: string
beforeAll(async () => {
  argon2 = await hashPassword('right')
  bcrypt = await Bun.password.hash('right', { algorithm: 'bcrypt', cost: 4 })
})

/** The kinds of hashes that were compared since, in order of their names. */
const work = () => verify.mock.calls.map(([, hash]) => kindOf(String(hash))).sort()
const whole = [...KINDS].sort()

describe('a wrong password costs the same', () => {
  test('for a name of nobody, and for people with any kind of hash', async () => {
    for (const hash of [undefined, argon2, bcrypt]) {
      verify.mockClear()
      expect(await verifyPassword('wrong', hash, KINDS)).toBe(false)
      expect(work()).toEqual(whole)
    }
  })

  test('with parameters of another kind than new ones have', async () => {
    const older = await Bun.password.hash('right', {
      algorithm: 'argon2id',
      memoryCost: 8,
      timeCost: 3,
    })
    const kinds = [...KINDS, kindOf(older)]
    for (const hash of [undefined, argon2, bcrypt, older]) {
      verify.mockClear()
      expect(await verifyPassword('wrong', hash, kinds)).toBe(false)
      expect(work()).toEqual([...kinds].sort())
    }
  })

  test('and each comparison is a real one: no decoy is refused before it is computed', async () => {
    for (const kind of KINDS) {
      verify.mockClear()
      await verifyPassword('wrong', undefined, [kind])
      const [result] = verify.mock.results
      expect(await result?.value).toBe(false)
    }
  })
})

test('the right password is compared once', async () => {
  for (const hash of [argon2, bcrypt]) {
    verify.mockClear()
    expect(await verifyPassword('right', hash, KINDS)).toBe(true)
    expect(work()).toEqual([kindOf(hash)])
  }
})

test('an empty password opens nothing, also where its hash is stored, and costs the same', async () => {
  const empty = '$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq'
  verify.mockClear()
  expect(await verifyPassword('', empty, KINDS)).toBe(false)
  expect(work()).toEqual(whole)
})

test('a hash that would take for ever is none', () => {
  const [salt, sum] = ['A'.repeat(43), 'A'.repeat(43)]
  expect(isHash(argon2)).toBe(true)
  expect(isHash(bcrypt)).toBe(true)
  expect(isHash(`$argon2id$v=19$m=1048576,t=32,p=16$${salt}$${sum}`)).toBe(true)
  for (const bad of [
    '',
    'plain',
    bcrypt.replace('$04$', '$16$'),
    bcrypt.replace('$04$', '$03$'),
    `$argon2id$v=19$m=1048577,t=2,p=1$${salt}$${sum}`,
    `$argon2id$v=19$m=19456,t=33,p=1$${salt}$${sum}`,
    `$argon2id$v=19$m=19456,t=2,p=17$${salt}$${sum}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}`,
  ]) {
    expect(isHash(bad)).toBe(false)
  }
})
