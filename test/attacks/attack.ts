/** Runs attacks of the catalogue against a server of their own, each from the same beginning. */
import { afterAll, beforeAll, beforeEach, test } from 'bun:test'
import type { AttackCase } from '#attacks/case.ts'
import { type Fixture, openFixture } from '#attacks/fixture.ts'
import type { Setup } from '#attacks/server.ts'
import { filemgr } from '../support/executable.ts'

export function attack(cases: readonly AttackCase[], setup: Setup = {}): void {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture(filemgr(), setup)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(() => fixture.reset())

  test.each(cases.map((one) => [one.id, one.attack, one] as const))(
    '%s: %s',
    (_, __, one) => one.run(fixture),
    30_000,
  )
}
