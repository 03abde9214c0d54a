/** Runs attacks of the catalogue against their own server. Each begins with the same files. */
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

  test.each(cases.map((each) => [each.id, each.attack, each] as const))(
    '%s: %s',
    (_, __, each) => each.run(fixture),
    30_000,
  )
}
