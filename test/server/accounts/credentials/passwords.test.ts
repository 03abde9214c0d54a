/** Hashes and limits of passwords. The cost of a comparison is the number of compared hashes, not the time that passes. */
import { afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import {
  checkPassword,
  hashKindOf,
  hashPassword,
  isHash,
  NEW_HASH_KIND,
  verifyPassword,
} from '#server/accounts/credentials/passwords.ts'

const verify = spyOn(Bun.password, 'verify')
afterEach(() => verify.mockClear())

const BCRYPT = '$2b$04$'
const KINDS = [NEW_HASH_KIND, BCRYPT, '$2b$05$']
let argon2: string
let bcrypt: string
beforeAll(async () => {
  argon2 = await hashPassword('right')
  bcrypt = await Bun.password.hash('right', { algorithm: 'bcrypt', cost: 4 })
})

/** The kinds of hashes that were compared since the last `mockClear`, in order of their names. */
const work = () => verify.mock.calls.map(([, hash]) => hashKindOf(String(hash))).sort()
const whole = [...KINDS].sort()

describe('a wrong password costs the same', () => {
  test('a wrong password costs the same for an unknown name and for users with any kind of hash', async () => {
    for (const hash of [undefined, argon2, bcrypt]) {
      verify.mockClear()
      expect(await verifyPassword('wrong', hash, KINDS)).toBe(false)
      expect(work()).toEqual(whole)
    }
  })

  test('a wrong password costs the same with parameters of another kind than new hashes have', async () => {
    const older = await Bun.password.hash('right', {
      algorithm: 'argon2id',
      memoryCost: 8,
      timeCost: 3,
    })
    const kinds = [...KINDS, hashKindOf(older)]
    for (const hash of [undefined, argon2, bcrypt, older]) {
      verify.mockClear()
      expect(await verifyPassword('wrong', hash, kinds)).toBe(false)
      expect(work()).toEqual([...kinds].sort())
    }
  })

  test('every comparison computes a hash, also for unknown users', async () => {
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
    expect(work()).toEqual([hashKindOf(hash)])
  }
})

test('an empty password is always wrong, even if its hash is stored, and costs the same time', async () => {
  const hashes = [
    '$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq',
    '$argon2id$v=19$m=64,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$fwIDd13PUyicBhxHhUx34vCUwKI0N4WAMevGhUcuDa0',
  ]
  for (const hash of hashes) {
    const kinds = [...new Set([...KINDS, hashKindOf(hash)])]
    verify.mockClear()
    expect(await verifyPassword('', hash, kinds)).toBe(false)
    expect(work()).toEqual(kinds.sort())
  }
})

test('a hash with excessive parameters is not accepted', () => {
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
    `$argon2id$v=19$m=2097152,t=2,p=1$${salt}$${sum}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}`,
  ]) {
    expect(isHash(bad)).toBe(false)
  }
})

test('a password of more than 1024 bytes is wrong, and is not hashed', async () => {
  const long = 'x'.repeat(1025)
  verify.mockClear()
  expect(await verifyPassword(long, argon2, KINDS)).toBe(false)
  expect(work()).toEqual([])
})

test('an invalid stored hash matches no password', async () => {
  expect(await verifyPassword('right', 'plain', KINDS)).toBe(false)
})

test('the parameters of a hash follow the recommendation of OWASP for argon2id', () => {
  expect(argon2).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
})

test('empty, short, very long and common passwords are refused', async () => {
  const refusal = (password: string) =>
    checkPassword(password, 12).then(
      () => 'none',
      (error: Error) => error.message,
    )
  expect(await refusal('')).toBe('password is empty')
  expect(await refusal('elevenchars')).toBe('password is too short, minimum length is 12')
  // Counted in characters, not in bytes.
  expect(await refusal('ü1😀xü1😀xü1😀')).toBe('password is too short, minimum length is 12')
  expect(await refusal('x'.repeat(300) + 'yzüäö'.repeat(150))).toStartWith('password is too long')
  for (const easy of ['abcabcabcabc', 'aaaaaaaaaaaaaaaa', 'ABCABCABCABC']) {
    expect(await refusal(easy)).toBe('password is too easy')
  }
  expect(await checkPassword('password', 8).catch((error: Error) => error.message)).toBe(
    'password is too easy',
  )
  expect(await checkPassword('PassWord', 8).catch((error: Error) => error.message)).toBe(
    'password is too easy',
  )
  expect(await refusal('correct horse battery')).toBe('none')
})

test('two passwords are compared or hashed at a time, and 64 wait at most', async () => {
  const many = Array.from({ length: 70 }, (_, number) =>
    (number % 2 === 0 ? verifyPassword('right', bcrypt) : hashPassword('right')).then(
      () => 'done',
      (error) => String(error.code),
    ),
  )
  const outcomes = await Promise.all(many)
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(66)
  expect(outcomes.slice(66)).toEqual(Array(4).fill('unavailable'))
}, 60_000)
